"""Tests of the app in a real Chromium."""
