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
 * <p>Replies come in the order of their commands; so the one thread notes for the other which of
 * them are of scripts.
 */
final class Passage {
  private static final long DRIP_MILLIS = 10;
  private static final long FOR_EVER_MILLIS = 60_000;

  private final Socket caller;
  private final Socket server;
  private final FaultProxy proxy;
  private final Queue<Boolean> scripts = new ConcurrentLinkedQueue<>();

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
    thread("fault-commands", () -> until(this::passCommand, caller, server));
    thread("fault-replies", () -> until(this::passReply, server, caller));
  }

  private interface Pass {
    void next(Frames from, OutputStream to) throws IOException;
  }

  private void until(Pass pass, Socket from, Socket to) {
    try {
      Frames frames = new Frames(from.getInputStream());
      while (true) {
        pass.next(frames, to.getOutputStream());
      }
    } catch (IOException e) {
      close(); // it ended, or one of the faults ended it
    }
  }

  private void passCommand(Frames from, OutputStream to) throws IOException {
    byte[] command = from.next();
    boolean script = Frames.runsScript(command);
    scripts.add(script);
    if (script) {
      proxy.sightings().called();
      command = proxy.instead().orElse(command);
    }
    Strike now = proxy.strike();
    if (script && now.at(Moment.BEFORE)) {
      before(now, command, to);
    } else if (script && now.at(Moment.IN_FLIGHT)) {
      inFlight(now, command, to);
    } else {
      to.write(command);
    }
  }

  private void passReply(Frames from, OutputStream to) throws IOException {
    byte[] reply = from.next();
    boolean script = !Frames.isPush(reply) && Boolean.TRUE.equals(scripts.poll());
    proxy.sightings().answered(reply, script);
    Strike now = proxy.strike();
    if (script && now.at(Moment.AFTER_COMMIT)) {
      afterCommit(now, reply, to);
    } else {
      to.write(reply);
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

  private void inFlight(Strike now, byte[] command, OutputStream to) throws IOException {
    switch (now.fault()) {
      case DELAY -> halves(command, to, now, now.delayMillis());
      case STALL -> halves(command, to, now, FOR_EVER_MILLIS);
      case CUT -> part(command, command.length, to);
      case TRUNCATE -> part(command, command.length - 1, to);
      case CORRUPT -> to.write(spoilt(command, secondWord(command)));
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

  // A Redis has begun to read by then; what ends a word it never looks at.
  private static int secondWord(byte[] command) {
    int found = 0;
    for (int at = 0; at < command.length; at++) {
      found += command[at] == '$' ? 1 : 0;
      if (found == 2) {
        return at;
      }
    }
    return 0;
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
