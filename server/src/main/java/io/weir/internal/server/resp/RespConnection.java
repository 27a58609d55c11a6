package io.weir.internal.server.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.CommandLimits;
import io.weir.internal.server.resp.codec.CommandParser;
import io.weir.internal.server.resp.codec.LaterReply;
import io.weir.internal.server.resp.codec.ProtocolException;
import io.weir.internal.server.resp.codec.ReplyQueue;
import io.weir.internal.server.resp.codec.ReplyWriter;
import io.weir.internal.server.resp.command.CommandTable;
import io.weir.internal.server.resp.command.Session;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One connection: what comes is executed command by command, and replies leave in that order, with
 * one flush for all that came together.
 *
 * <p>A client that doesn't read its replies isn't read from; nor is one with many commands that
 * aren't answered yet. So a connection holds no more than a read's worth of commands and little
 * more than a buffer's worth of replies, whatever its client does.
 *
 * <p>All of it runs in the thread of the connection, but for {@link #tell}.
 */
final class RespConnection extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MOST_UNKNOWN = 1_024;
  private static final int FLUSH_BYTES = 64 * 1024;

  private final Channel channel;
  private final CommandTable commands;
  private final Session session;
  private final RespLimits limits;
  private final CommandParser parser = new CommandParser();
  private final ReplyWriter writer = new ReplyWriter();
  private final ReplyQueue replies;
  private final AtomicBoolean told = new AtomicBoolean();
  private @Nullable ByteBuf received;

  /** Executes what has come, and no more. */
  private boolean finishing;

  /** Executes nothing more, and closes when all is sent. */
  private boolean ending;

  private boolean ended;

  /** The client does not read, or waits for too much: it isn't read from. */
  private boolean stopped;

  /** Commands and times of being stopped, by which deadlines tell whether something went on. */
  private long executed;

  private long stops;
  private boolean halfCommandWatched;

  RespConnection(Channel channel, CommandTable commands, Session session, RespLimits limits) {
    this.channel = channel;
    this.commands = commands;
    this.session = session;
    this.limits = limits;
    this.replies = new ReplyQueue(channel.alloc(), writer);
  }

  /** The connection is there. */
  void begin() {
    if (!session.mayCheck()) {
      after(limits.signIn(), this::endStranger);
    }
  }

  private void after(Duration time, Runnable task) {
    var unused = channel.eventLoop().schedule(task, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void endStranger() {
    session.refresh();
    if (!session.mayCheck()) {
      close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext same, Object message) {
    ByteBuf more = (ByteBuf) message;
    if (ending) {
      more.release();
      return;
    }
    received =
        received == null
            ? more
            : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(channel.alloc(), received, more);
    session.refresh();
    execute();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext same) {
    flush();
  }

  /** Executes what has come, as long as replies can be sent. */
  private void execute() {
    ByteBuf in = received;
    if (in == null) {
      return;
    }
    try {
      while (!ending && !isStopped()) {
        boolean known = session.mayCheck();
        if (!parser.read(in, known ? CommandLimits.KNOWN : CommandLimits.STRANGER)) {
          break;
        }
        executed++;
        executeOne();
      }
    } catch (ProtocolException malformed) {
      end(malformed);
    }
    if (ending || !in.isReadable()) {
      in.release();
      received = null;
    } else if (!stopped && !halfCommandWatched) {
      watchHalfCommand();
    }
  }

  private void executeOne() {
    writer.to(replies.target());
    try {
      LaterReply later = commands.execute(parser.arguments(), session, writer);
      if (later != null) {
        replies.add(later);
        later.whenKnown(this::tell);
      }
    } catch (CommandException wrong) {
      writer.error(wrong.reply());
    } catch (RuntimeException mistake) {
      LOG.log(System.Logger.Level.WARNING, "a command of the Redis protocol failed", mistake);
      writer.error("ERR failed");
    }
    ending |= session.isEnding();
  }

  private void end(ProtocolException malformed) {
    ending = true;
    if (malformed.isSilent()) {
      close();
    } else {
      writer.to(replies.target());
      writer.error("ERR Protocol error: " + malformed.getMessage());
    }
  }

  /** Whether nothing more may be executed now. Sends what would be too much to keep. */
  private boolean isStopped() {
    if (replies.readyBytes() >= FLUSH_BYTES) {
      flushReady();
    }
    boolean full = replies.unknown() >= MOST_UNKNOWN || !channel.isWritable();
    if (full && !stopped) {
      stopped = true;
      channel.config().setAutoRead(false);
      long stop = ++stops;
      after(limits.slowReader(), () -> endSlowReader(stop));
    }
    return full;
  }

  private void goOn() {
    if (stopped && replies.unknown() < MOST_UNKNOWN && channel.isWritable()) {
      stopped = false;
      session.refresh();
      execute();
      flushReady();
      ending |= finishing && !stopped;
      if (!stopped && !ending) {
        channel.config().setAutoRead(true);
      }
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext same) {
    goOn();
    endWhenDone();
  }

  /** A reply is known. By any thread; those that are known together are sent together. */
  private void tell() {
    if (told.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(this::advance);
      } catch (RejectedExecutionException closed) {
        // Then there is nobody to tell.
      }
    }
  }

  private void advance() {
    told.set(false);
    replies.advance();
    goOn();
    flush();
  }

  private void flush() {
    replies.advance();
    flushReady();
    endWhenDone();
  }

  private void flushReady() {
    ByteBuf ready = replies.take();
    if (ready != null) {
      var unused = channel.writeAndFlush(ready, channel.voidPromise());
    }
  }

  private void endWhenDone() {
    if (ending && !ended && replies.isEmpty()) {
      ended = true;
      var unused =
          channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
      after(limits.slowReader(), this::close);
    }
  }

  private void close() {
    var unused = channel.close();
  }

  /** Answers what has come, and closes. */
  void finish() {
    if (ending) {
      return;
    }
    finishing = true;
    channel.config().setAutoRead(false);
    execute();
    ending |= !stopped;
    flush();
  }

  private void watchHalfCommand() {
    halfCommandWatched = true;
    long before = executed;
    after(limits.command(), () -> endHalfCommand(before));
  }

  private void endHalfCommand(long before) {
    halfCommandWatched = false;
    if (received == null || stopped) {
      return;
    }
    if (executed == before) {
      close();
    } else {
      watchHalfCommand();
    }
  }

  private void endSlowReader(long stop) {
    if (stopped && stops == stop && !channel.isWritable()) {
      close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext same) {
    if (received != null) {
      received.release();
      received = null;
    }
    ending = true;
    replies.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext same, Throwable cause) {
    LOG.log(System.Logger.Level.DEBUG, "a connection of the Redis protocol failed", cause);
    close();
  }
}
