package io.weir.benchmarks.day;

/** Nodes that admit everything, to measure the cost of the load itself. */
final class NoLimit implements Nodes {
  @Override
  public boolean admits(int node, String user) {
    return true;
  }

  @Override
  public long exchanges() {
    return 0;
  }

  @Override
  public double withoutIoPercent() {
    return 100;
  }

  @Override
  public void close() {}
}
