"""What of the sample is measured beforehand, so that the app opens with an answer."""
