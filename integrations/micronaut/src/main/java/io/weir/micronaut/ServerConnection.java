package io.weir.micronaut;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Reads the connection of a request, where Netty serves. */
final class ServerConnection {
  private static final boolean HAS_NETTY = isPresent();

  private ServerConnection() {}

  private static boolean isPresent() {
    try {
      Class.forName(
          "io.micronaut.http.server.netty.NettyHttpRequest",
          false,
          ServerConnection.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }

  /** Returns the event loop that serves a request; null where there is none. */
  static @Nullable Executor eventLoop(HttpRequest<?> request) {
    return HAS_NETTY ? Netty.eventLoop(request) : null;
  }

  /**
   * Runs a task when the connection of a request closes.
   *
   * @return drops the task
   */
  static Runnable whenClosed(HttpRequest<?> request, Runnable task) {
    return HAS_NETTY ? Netty.whenClosed(request, task) : () -> {};
  }

  /** Loaded only where Netty serves. */
  private static final class Netty {
    static @Nullable Executor eventLoop(HttpRequest<?> request) {
      @Nullable Channel channel = channel(request);
      return channel == null ? null : channel.eventLoop();
    }

    static Runnable whenClosed(HttpRequest<?> request, Runnable task) {
      @Nullable Channel channel = channel(request);
      if (channel == null) {
        return () -> {};
      }
      ChannelFutureListener closed = any -> task.run();
      channel.closeFuture().addListener(closed);
      return () -> channel.closeFuture().removeListener(closed);
    }

    private static @Nullable Channel channel(HttpRequest<?> request) {
      HttpRequest<?> each = request;
      while (each instanceof HttpRequestWrapper<?> wrapper) {
        each = wrapper.getDelegate();
      }
      return each instanceof NettyHttpRequest<?> received
          ? received.getChannelHandlerContext().channel()
          : null;
    }
  }
}
