package io.weir.internal.server.resp.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the replies of a connection in the order of their commands. Replies with no pending one
 * before them are written to one buffer; those behind a pending one wait together in another.
 *
 * <p>Confine to one thread, and close it.
 */
public final class ReplyQueue {
  private static final int INITIAL_BYTES = 256;

  private final ByteBufAllocator allocator;
  private final ReplyWriter writer;

  /** {@link PendingReply}s, and buffers with the replies between them. */
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();

  private @Nullable ByteBuf ready;
  private int pending;

  /** The bytes in buffers that have a pending reply behind them. */
  private int bytesBetween;

  public ReplyQueue(ByteBufAllocator allocator, ReplyWriter writer) {
    this.allocator = allocator;
    this.writer = writer;
  }

  /** Returns the buffer for the next reply, valid until another method is called. */
  public ByteBuf target() {
    if (waiting.isEmpty()) {
      return ready();
    }
    if (waiting.peekLast() instanceof ByteBuf last) {
      return last;
    }
    ByteBuf next = allocator.buffer(INITIAL_BYTES);
    waiting.add(next);
    return next;
  }

  private ByteBuf ready() {
    if (ready == null) {
      ready = allocator.buffer(INITIAL_BYTES);
    }
    return ready;
  }

  public void add(PendingReply reply) {
    bytesBetween += lastBytes();
    waiting.add(reply);
    pending++;
  }

  /** Writes the pending replies that are known by now, up to the first that isn't. */
  public void advance() {
    while (!waiting.isEmpty()) {
      Object first = waiting.peek();
      if (first instanceof ByteBuf replies) {
        bytesBetween -= waiting.size() > 1 ? replies.readableBytes() : 0;
        ready().writeBytes(replies);
        replies.release();
      } else if (first instanceof PendingReply later && later.isKnown()) {
        pending--;
        later.write(writer.to(ready()));
      } else {
        return;
      }
      waiting.poll();
    }
  }

  public int pending() {
    return pending;
  }

  /** Returns the bytes of the replies that wait behind a pending one. */
  public int waitingBytes() {
    return bytesBetween + lastBytes();
  }

  private int lastBytes() {
    return waiting.peekLast() instanceof ByteBuf last ? last.readableBytes() : 0;
  }

  /** Returns the bytes of the replies that can be sent. */
  public int readyBytes() {
    return ready == null ? 0 : ready.readableBytes();
  }

  public boolean isEmpty() {
    return waiting.isEmpty() && readyBytes() == 0;
  }

  /**
   * Takes the replies that can be sent: a buffer that the caller releases; null if there are none.
   */
  public @Nullable ByteBuf take() {
    ByteBuf taken = ready;
    if (taken == null || !taken.isReadable()) {
      return null;
    }
    ready = null;
    return taken;
  }

  /** Releases all buffers. */
  public void close() {
    if (ready != null) {
      ready.release();
      ready = null;
    }
    for (Object each : waiting) {
      if (each instanceof ByteBuf buffer) {
        buffer.release();
      }
    }
    waiting.clear();
  }
}
