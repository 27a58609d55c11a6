package io.weir.compat.redis.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One connection through the proxy: a thread for the commands, another for the replies.
 *
 * <p>Answers come in the order of their commands; so the one thread notes for the other which of
 * them are of calls.
 */
final class Passage {
  private static final long DRIP_MILLIS = 10;
  private static final long FOR_EVER_MILLIS = 60_000;

  private final Socket caller;
  private final Socket server;
  private final FaultProxy proxy;
  private final Queue<Boolean> calls = new ConcurrentLinkedQueue<>();

  /** Whether the caller gets no reply any more. */
  private volatile boolean isCut;

  /** Whether the server has said anything; used by the thread for the replies alone. */
  private boolean isAnswered;

  Passage(Socket caller, Socket server, FaultProxy proxy) {
    this.caller = caller;
    this.server = server;
    this.proxy = proxy;
  }

  static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  void start() throws IOException {
    caller.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    Wire wire = proxy.language().read(caller.getInputStream(), server.getInputStream());
    OutputStream toServer = server.getOutputStream();
    OutputStream toCaller = caller.getOutputStream();
    thread("fault-commands", () -> repeat(() -> passCommand(wire, toServer)));
    thread("fault-replies", () -> repeat(() -> passReply(wire, toCaller)));
  }

  private interface Pass {
    void next() throws IOException;
  }

  private void repeat(Pass pass) {
    try {
      while (true) {
        pass.next();
      }
    } catch (IOException e) {
      close(); // it ended, or one of the faults ended it
    }
  }

  private void passCommand(Wire wire, OutputStream to) throws IOException {
    Frame frame = wire.command();
    byte[] command = frame.bytes();
    boolean call = frame.kind() == Frame.Kind.CALL;
    if (frame.isAnswered()) {
      calls.add(call);
    }
    if (call) {
      proxy.sightings().called();
      command = proxy.instead().orElse(command);
    }
    Strike now = proxy.strike();
    if (call && now.at(Moment.BEFORE)) {
      before(now, command, to);
    } else if (call && now.at(Moment.IN_FLIGHT)) {
      inFlight(now, command, wire.softSpot(command), to);
    } else {
      to.write(command);
    }
  }

  private void passReply(Wire wire, OutputStream to) throws IOException {
    Frame frame = reply(wire);
    if (isCut) {
      throw cut();
    }
    byte[] reply = frame.bytes();
    boolean call = frame.isAnswered() && Boolean.TRUE.equals(calls.poll());
    proxy.sightings().answered(reply, call);
    Strike now = proxy.strike();
    if (call && now.at(Moment.AFTER_COMMIT)) {
      afterCommit(now, reply, to);
    } else {
      to.write(reply);
    }
  }

  /** A connection that ends without a word is as good as refused: the server is farther away. */
  private Frame reply(Wire wire) throws IOException {
    try {
      Frame frame = wire.reply();
      isAnswered = true;
      return frame;
    } catch (IOException ended) {
      if (!isAnswered) {
        proxy.sightings().turnedAway();
      }
      throw ended;
    }
  }

  private void before(Strike now, byte[] command, OutputStream to) throws IOException {
    switch (now.fault()) {
      case DELAY -> whole(command, to, now, now.delayMillis());
      case STALL -> whole(command, to, now, FOR_EVER_MILLIS);
      case CUT -> throw cut();
      case TRUNCATE -> part(command, command.length / 2, to);
      case CORRUPT -> to.write(spoilt(command, 0));
      case DRIP -> drip(command, to, now);
      case HALF_CLOSE -> server.shutdownOutput();
    }
  }

  private void inFlight(Strike now, byte[] command, int softSpot, OutputStream to)
      throws IOException {
    switch (now.fault()) {
      case DELAY -> halves(command, to, now, now.delayMillis());
      case STALL -> halves(command, to, now, FOR_EVER_MILLIS);
      case CUT -> {
        isCut = true; // before the server can answer
        part(command, command.length, to);
      }
      case TRUNCATE -> part(command, command.length - 1, to);
      case CORRUPT -> to.write(spoilt(command, softSpot));
      case DRIP -> drip(command, to, now);
      case HALF_CLOSE -> {
        to.write(command);
        server.shutdownOutput();
      }
    }
  }

  private void afterCommit(Strike now, byte[] reply, OutputStream to) throws IOException {
    switch (now.fault()) {
      case DELAY -> whole(reply, to, now, now.delayMillis());
      case STALL -> whole(reply, to, now, FOR_EVER_MILLIS);
      case CUT -> throw cut();
      case TRUNCATE -> part(reply, reply.length / 2, to);
      case CORRUPT -> to.write(spoilt(reply, 0));
      case DRIP -> drip(reply, to, now);
      case HALF_CLOSE -> caller.shutdownOutput();
    }
  }

  private static IOException cut() {
    return new IOException("cut on purpose");
  }

  private static void whole(byte[] bytes, OutputStream to, Strike now, long pause)
      throws IOException {
    now.pause(pause);
    to.write(bytes);
  }

  private static void halves(byte[] bytes, OutputStream to, Strike now, long pause)
      throws IOException {
    int half = bytes.length / 2;
    to.write(bytes, 0, half);
    now.pause(pause);
    to.write(bytes, half, bytes.length - half);
  }

  private static void part(byte[] bytes, int length, OutputStream to) throws IOException {
    to.write(bytes, 0, length);
    throw cut();
  }

  private static byte[] spoilt(byte[] bytes, int at) {
    byte[] spoilt = Arrays.copyOf(bytes, bytes.length);
    spoilt[at] = '?';
    return spoilt;
  }

  private static void drip(byte[] bytes, OutputStream to, Strike now) throws IOException {
    for (byte each : bytes) {
      to.write(each);
      now.pause(DRIP_MILLIS);
    }
  }

  void close() {
    quietly(caller);
    quietly(server);
    proxy.gone(this);
  }

  private static void quietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is gone anyhow
    }
  }
}
