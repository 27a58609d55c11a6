package io.weir.internal.server.grpc;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts so many connections; those beyond are closed at once, before anything is kept for them.
 * Used by its event loop; connections end on others.
 */
final class BoundedServerChannel extends NioServerSocketChannel {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  BoundedServerChannel(int most) {
    this.most = most;
  }

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    int before = accepted.size();
    int count = super.doReadMessages(accepted);
    while (accepted.size() > before) {
      Channel connection = (Channel) accepted.get(before);
      if (open.incrementAndGet() > most) {
        open.decrementAndGet();
        connection.unsafe().closeForcibly();
        accepted.remove(before);
      } else {
        var unused = connection.closeFuture().addListener(closed -> open.decrementAndGet());
        before++;
      }
    }
    return count;
  }
}
