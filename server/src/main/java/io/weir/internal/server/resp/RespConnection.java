package io.weir.internal.server.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.CommandLimits;
import io.weir.internal.server.resp.codec.CommandParser;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ProtocolException;
import io.weir.internal.server.resp.codec.ReplyQueue;
import io.weir.internal.server.resp.codec.ReplyWriter;
import io.weir.internal.server.resp.command.CommandTable;
import io.weir.internal.server.resp.command.RespSession;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One connection: what comes is executed command by command, and replies leave in that order, with
 * one flush for all that came together.
 *
 * <p>A client that doesn't read its replies isn't read from; nor is one with many commands that
 * aren't answered yet, or with many replies behind such a command. So a connection holds no more
 * than a read's worth of commands and little more than a buffer's worth of replies, whatever its
 * client does.
 *
 * <p>Nor is anything executed while a sign-in waits to know its token.
 *
 * <p>A client that shuts its output, as {@code nc} does at the end of a file, gets all its replies.
 *
 * <p>All of it runs in the thread of the connection, but for {@link #tell}.
 */
final class RespConnection extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MOST_UNKNOWN = 1_024;
  private static final int FLUSH_BYTES = 64 * 1024;

  /** Replies that are known and stand behind one that isn't. */
  private static final int MOST_WAITING_BYTES = 64 * 1024;

  private final Channel channel;
  private final CommandTable commands;
  private final RespSession session;
  private final Deadline signIn;
  private final Deadline halfCommand;
  private final Deadline slowReader;
  private final Deadline goodbye;
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

  /** Commands, also how many there were when half of the next one had come. */
  private long executed;

  private long executedBefore;

  RespConnection(Channel channel, CommandTable commands, RespSession session, RespLimits limits) {
    this.channel = channel;
    this.commands = commands;
    this.session = session;
    this.signIn = new Deadline(limits.signIn(), this::endStranger);
    this.halfCommand = new Deadline(limits.command(), this::endHalfCommand);
    this.slowReader = new Deadline(limits.slowReader(), this::endSlowReader);
    this.goodbye = new Deadline(limits.slowReader(), this::close);
    this.replies = new ReplyQueue(channel.alloc(), writer);
  }

  /** The connection is there. */
  void begin() {
    if (!session.mayCheck()) {
      begin(signIn);
    }
  }

  private void begin(Deadline deadline) {
    deadline.begin(channel.eventLoop());
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
    } else {
      in.discardReadBytes(); // else a client that always ends in half a command grows the buffer
      if (!stopped && !halfCommand.isRunning()) {
        watchHalfCommand();
      }
    }
  }

  private void executeOne() {
    writer.to(replies.target());
    try {
      PendingReply later = commands.execute(parser.arguments(), session, writer);
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
    boolean full = isFull();
    if (full && !stopped) {
      stopped = true;
      channel.config().setAutoRead(false);
      begin(slowReader);
    }
    return full;
  }

  private boolean isFull() {
    return session.isSigningIn()
        || replies.unknown() >= MOST_UNKNOWN
        || replies.waitingBytes() >= MOST_WAITING_BYTES
        || !channel.isWritable();
  }

  private void goOn() {
    if (stopped && !isFull()) {
      stopped = false;
      slowReader.lift();
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
      begin(goodbye);
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
    executedBefore = executed;
    begin(halfCommand);
  }

  private void endHalfCommand() {
    if (received == null || stopped) {
      return;
    }
    if (executed == executedBefore) {
      close();
    } else {
      watchHalfCommand();
    }
  }

  private void endSlowReader() {
    if (channel.isWritable()) {
      begin(slowReader); // it waits for the store
    } else {
      close();
    }
  }

  /** The client sends nothing more, and may still read. */
  @Override
  public void userEventTriggered(ChannelHandlerContext same, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      finish();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext same) {
    if (received != null) {
      received.release();
      received = null;
    }
    ending = true;
    ended = true;
    replies.close();
    for (Deadline each : List.of(signIn, halfCommand, slowReader, goodbye)) {
      each.lift();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext same, Throwable cause) {
    LOG.log(System.Logger.Level.DEBUG, "a connection of the Redis protocol failed", cause);
    close();
  }
}
