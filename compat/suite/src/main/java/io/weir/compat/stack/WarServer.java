package io.weir.compat.stack;

import java.util.List;

/** An application server in a process of its own: start deploys a war, stop undeploys it. */
public interface WarServer extends StackServer {
  /**
   * Returns what the server has logged so far.
   *
   * @return lines, each record with its level
   */
  List<String> log();
}
