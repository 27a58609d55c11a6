package io.weir.internal.server.grpc;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;

/**
 * Accepts a bounded number of connections; those beyond are closed before anything is allocated for
 * them. Used by its event loop; connections end on others.
 */
final class BoundedServerChannel extends NioServerSocketChannel {
  private final GrpcConnections connections;

  BoundedServerChannel(GrpcConnections connections) {
    this.connections = connections;
  }

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    int before = accepted.size();
    int count = super.doReadMessages(accepted);
    while (accepted.size() > before) {
      Channel connection = (Channel) accepted.get(before);
      if (connections.tryAdd(connection, eventLoop())) {
        before++;
      } else {
        connection.unsafe().closeForcibly();
        accepted.remove(before);
      }
    }
    return count;
  }
}
