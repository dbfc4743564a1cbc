"""What moving the sliders would make of one question. All of it is pure."""
