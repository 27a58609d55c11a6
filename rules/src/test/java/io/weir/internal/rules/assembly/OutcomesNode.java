package io.weir.internal.rules.assembly;

import io.weir.Weir;
import io.weir.rules.NodeStatus;
import io.weir.rules.Rules;
import java.util.Map;

/** Runs an application with rules until its process ends. */
final class OutcomesNode {
  static final String IS_REPORTED = "this node is reported";

  private OutcomesNode() {}

  public static void main(String[] args) throws InterruptedException {
    try (Weir weir =
        Weir.builder().settings(Map.of("weir.rules", args[0], "weir.node", args[1])).build()) {
      Rules rules = Rules.of(weir).orElseThrow();
      while (rules.nodes().current().stream().map(NodeStatus::node).noneMatch(args[1]::equals)) {
        Thread.sleep(10);
      }
      System.out.println(IS_REPORTED);
      Thread.currentThread().join();
    }
  }
}
