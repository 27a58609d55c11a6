package io.weir.benchmarks.postgres;

import io.weir.benchmarks.redis.Contender;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Some nodes behind a balancer that picks one at random. What they refuse is answered as well. */
final class Nodes implements Contender {
  private final List<? extends Contender> nodes;

  /** Takes over the nodes, which it closes. */
  Nodes(List<? extends Contender> nodes) {
    this.nodes = nodes;
  }

  @Override
  public boolean admits(String caller) {
    nodes.get(ThreadLocalRandom.current().nextInt(nodes.size())).admits(caller);
    return true;
  }

  @Override
  public long exchanges() {
    return nodes.stream().mapToLong(Contender::exchanges).sum();
  }

  @Override
  public void close() {
    nodes.forEach(Contender::close);
  }
}
