"""What the tests share: fakes, cases, files and servers, one concern a file. Nothing here is itself a test."""
