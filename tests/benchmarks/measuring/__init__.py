"""What speed is measured with: CPU time of works and yardsticks in turn, so that ratios can be trusted on a busy machine."""
