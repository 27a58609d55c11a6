package io.weir.internal.server.resp.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The replies of a connection in the order of their commands. Those that nothing is before go
 * straight into one buffer; those behind one that isn't known yet wait, side by side in a buffer of
 * their own.
 *
 * <p>Confine to one thread, and close it.
 */
public final class ReplyQueue {
  private static final int FIRST_BYTES = 256;

  private final ByteBufAllocator allocator;
  private final ReplyWriter writer;

  /** {@link PendingReply}s, and buffers with what comes behind them. */
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();

  private @Nullable ByteBuf ready;
  private int unknown;

  /** What waits in buffers that another reply that isn't known stands behind. */
  private int bytesBetween;

  /**
   * Makes an empty one.
   *
   * @param allocator of buffers
   * @param writer writes replies that were waited for
   */
  public ReplyQueue(ByteBufAllocator allocator, ReplyWriter writer) {
    this.allocator = allocator;
    this.writer = writer;
  }

  /**
   * Where the next reply is written.
   *
   * @return the buffer; valid until another method is called
   */
  public ByteBuf target() {
    if (waiting.isEmpty()) {
      return ready();
    }
    if (waiting.peekLast() instanceof ByteBuf last) {
      return last;
    }
    ByteBuf next = allocator.buffer(FIRST_BYTES);
    waiting.add(next);
    return next;
  }

  private ByteBuf ready() {
    if (ready == null) {
      ready = allocator.buffer(FIRST_BYTES);
    }
    return ready;
  }

  /**
   * Adds a reply that isn't known yet, or was just now.
   *
   * @param reply the reply
   */
  public void add(PendingReply reply) {
    bytesBetween += lastBytes();
    waiting.add(reply);
    unknown++;
  }

  /** Moves on what is known by now, up to the first one that isn't. */
  public void advance() {
    while (!waiting.isEmpty()) {
      Object first = waiting.peek();
      if (first instanceof ByteBuf replies) {
        bytesBetween -= waiting.size() > 1 ? replies.readableBytes() : 0;
        ready().writeBytes(replies);
        replies.release();
      } else if (first instanceof PendingReply later && later.isKnown()) {
        unknown--;
        later.write(writer.to(ready()));
      } else {
        return;
      }
      waiting.poll();
    }
  }

  /**
   * How many replies aren't written yet, but for those behind them.
   *
   * @return 0 and more
   */
  public int unknown() {
    return unknown;
  }

  /**
   * How much is written already and can't be sent before another reply is known.
   *
   * @return bytes
   */
  public int waitingBytes() {
    return bytesBetween + lastBytes();
  }

  private int lastBytes() {
    return waiting.peekLast() instanceof ByteBuf last ? last.readableBytes() : 0;
  }

  /**
   * How much may be sent.
   *
   * @return bytes
   */
  public int readyBytes() {
    return ready == null ? 0 : ready.readableBytes();
  }

  /**
   * Whether everything was sent.
   *
   * @return true if nothing waits and nothing is ready
   */
  public boolean isEmpty() {
    return waiting.isEmpty() && readyBytes() == 0;
  }

  /**
   * Takes what may be sent.
   *
   * @return a buffer that the caller releases; null if there is nothing
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
