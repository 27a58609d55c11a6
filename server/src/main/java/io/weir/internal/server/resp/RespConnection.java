package io.weir.internal.server.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.CommandLimits;
import io.weir.internal.server.resp.codec.CommandParser;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ProtocolException;
import io.weir.internal.server.resp.codec.ReplyQueue;
import io.weir.internal.server.resp.codec.ReplyWriter;
import io.weir.internal.server.resp.command.CommandTable;
import io.weir.internal.server.resp.command.RespSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Serves one connection: executes commands in order, and sends replies in that order, with one
 * flush for all commands that arrive together.
 *
 * <p>Stops reading from a client that doesn't read its replies, that has many pending commands, or
 * that has many replies behind a pending command. So a connection never holds more than one read of
 * commands and little more than one buffer of replies.
 *
 * <p>Executes nothing while the token of a sign-in is being verified.
 *
 * <p>A client that closes its output, as {@code nc} does at the end of a file, gets all its
 * replies.
 *
 * <p>Runs in the thread of the connection, except for {@link #scheduleAdvance}.
 */
final class RespConnection extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MAX_PENDING = 1_024;
  private static final int FLUSH_BYTES = 64 * 1024;

  /** In this time the thread looks at each connection, and so reads what has been received. */
  private static final Duration LOOK = Duration.ofMillis(1);

  /**
   * The time for which a client that was busy when the server stopped may read its last replies: a
   * connection that is closed while its client sends loses those under way.
   */
  private static final Duration LINGER = Duration.ofSeconds(1);

  /** The most bytes of replies behind a pending one. */
  private static final int MAX_WAITING_BYTES = 64 * 1024;

  private final Channel channel;
  private final CommandTable commands;
  private final RespSession session;
  private final ConnectionTimer signIn;
  private final ConnectionTimer halfCommand;
  private final ConnectionTimer slowReader;
  private final ConnectionTimer goodbye;
  private final ConnectionTimer look;
  private final ConnectionTimer linger;
  private final CommandParser parser = new CommandParser();
  private final ReplyWriter writer = new ReplyWriter();
  private final ReplyQueue replies;
  private final AtomicBoolean isScheduled = new AtomicBoolean();
  private @Nullable ByteBuf received;

  /** Executes the commands that the machine has received so far. */
  private boolean finishing;

  /** Reads no further commands. */
  private boolean inputEnded;

  /** Whether it has read while finishing. */
  private boolean wasBusy;

  /** Whether it has read since the thread last looked. */
  private boolean hasRead;

  /** Executes nothing more, and closes when all is sent. */
  private boolean ending;

  private boolean ended;

  /** Doesn't read from the client, which doesn't read, or has too much pending. */
  private boolean stopped;

  private long executed;

  /** The number of executed commands when the deadline of an incomplete command began. */
  private long executedBefore;

  RespConnection(Channel channel, CommandTable commands, RespSession session, RespLimits limits) {
    this.channel = channel;
    this.commands = commands;
    this.session = session;
    this.signIn = new ConnectionTimer(limits.signIn(), this::closeUnauthenticated);
    this.halfCommand = new ConnectionTimer(limits.command(), this::endHalfCommand);
    this.slowReader = new ConnectionTimer(limits.slowReader(), this::endSlowReader);
    this.goodbye = new ConnectionTimer(limits.slowReader(), this::close);
    this.look = new ConnectionTimer(LOOK, this::endQuietInput);
    this.linger = new ConnectionTimer(LINGER, this::close);
    this.replies = new ReplyQueue(channel.alloc(), writer);
  }

  /** Starts the deadline for a sign-in, if one is needed. */
  void begin() {
    if (!session.mayCheck()) {
      begin(signIn);
    }
  }

  private void begin(ConnectionTimer deadline) {
    deadline.begin(channel.eventLoop());
  }

  private void closeUnauthenticated() {
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
    if (finishing && !inputEnded) {
      wasBusy = true;
      hasRead = true;
      if (hasReadAll()) {
        endInput();
      }
    }
  }

  /** Returns whether nothing that had been received was left by the last read. */
  private boolean hasReadAll() {
    var reads = channel.unsafe().recvBufAllocHandle();
    return reads.lastBytesRead() < reads.attemptedBytesRead();
  }

  /** Executes the commands received so far, as long as replies can be sent. */
  private void execute() {
    ByteBuf in = received;
    if (in == null) {
      return;
    }
    try {
      while (!ending && !isStopped()) {
        boolean known = session.mayCheck();
        if (!parser.read(in, known ? CommandLimits.AUTHENTICATED : CommandLimits.UNAUTHENTICATED)) {
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
      in.discardReadBytes(); // otherwise incomplete commands would grow the buffer
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
        later.whenKnown(this::scheduleAdvance);
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

  /** Returns whether nothing more may be executed now. Sends replies that fill a buffer. */
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
        || replies.pending() >= MAX_PENDING
        || replies.waitingBytes() >= MAX_WAITING_BYTES
        || !channel.isWritable();
  }

  private void resume() {
    if (stopped && !isFull()) {
      stopped = false;
      slowReader.cancel();
      session.refresh();
      execute();
      flushReady();
      ending |= inputEnded && !stopped;
      if (!stopped && !ending) {
        channel.config().setAutoRead(true);
      }
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext same) {
    resume();
    endWhenDone();
  }

  /** Sends replies that have become known, several at once. Called by any thread. */
  private void scheduleAdvance() {
    if (isScheduled.compareAndSet(false, true)) {
      try {
        channel.eventLoop().execute(this::advance);
      } catch (RejectedExecutionException closed) {
        // The connection has ended.
      }
    }
  }

  private void advance() {
    isScheduled.set(false);
    replies.advance();
    resume();
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
      boolean lingers = finishing && wasBusy;
      var unused =
          channel
              .writeAndFlush(Unpooled.EMPTY_BUFFER)
              .addListener(sent -> endOutput(lingers && sent.isSuccess()));
      begin(goodbye);
    }
  }

  /** Closes, or waits until the client does, which may still be sending. */
  private void endOutput(boolean lingers) {
    if (!lingers || !(channel instanceof DuplexChannel plain)) {
      close();
      return;
    }
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    var unused = tls == null ? plain.shutdownOutput() : tls.closeOutbound();
    channel.config().setAutoRead(true);
    begin(linger);
  }

  private void close() {
    var unused = channel.close();
  }

  /** Answers the commands that the machine has received so far, and closes. */
  void finish() {
    if (!finishing && !ending) {
      finishing = true;
      begin(look);
    }
  }

  /** Ends an input from which nothing has come since the thread last looked. */
  private void endQuietInput() {
    if (hasRead || stopped) {
      hasRead = false;
      begin(look);
    } else {
      endInput();
    }
  }

  /** Answers the commands that were read, and closes. */
  private void endInput() {
    if (ending || inputEnded) {
      return;
    }
    inputEnded = true;
    look.cancel();
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
      begin(slowReader); // replies are pending
    } else {
      close();
    }
  }

  /** Finishes when the client has closed its output; it may still read. */
  @Override
  public void userEventTriggered(ChannelHandlerContext same, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      if (linger.isRunning()) {
        close();
      } else {
        endInput();
      }
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
    for (ConnectionTimer each : List.of(signIn, halfCommand, slowReader, goodbye, look, linger)) {
      each.cancel();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext same, Throwable cause) {
    LOG.log(System.Logger.Level.DEBUG, "a connection of the Redis protocol failed", cause);
    close();
  }
}
