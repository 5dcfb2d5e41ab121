"""What the tests play with: each file is one driver, over the public library, the commands, files, mails or pages."""
