package io.weir.internal.rules.nodes;

import io.weir.rules.NodeStatus;
import io.weir.rules.Nodes;
import java.util.List;

/** Lists the nodes by their last reports. */
final class StoredNodes implements Nodes {
  private final NodeReader reader;

  StoredNodes(NodeReader reader) {
    this.reader = reader;
  }

  @Override
  public List<NodeStatus> current() {
    return reader.read().reports().stream().map(NodeReport::status).toList();
  }
}
