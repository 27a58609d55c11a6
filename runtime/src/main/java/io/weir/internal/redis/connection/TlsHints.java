package io.weir.internal.redis.connection;

import io.weir.internal.redis.address.HostAndPort;
import java.io.EOFException;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLHandshakeException;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Suggests TLS, or none, where that may be why a server doesn't answer.
 *
 * <p>A Redis that speaks TLS resets a connection without it and sends nothing, as one does that is
 * killed. One without TLS keeps silent about a handshake. So only servers that have never answered
 * are suspected.
 *
 * <p>Safe for concurrent use.
 */
final class TlsHints {
  private static final String USE_TLS =
      "; if it speaks TLS, begin weir.store with rediss:// or end it with tls=true";
  private static final String USE_NO_TLS =
      "; if it doesn't speak TLS, begin weir.store with redis:// or leave tls=true out";

  /** Bounds what clusters may name. */
  private static final int MAX_SERVERS = 1_000;

  private final Set<HostAndPort> answered = ConcurrentHashMap.newKeySet();

  /** Records that a server speaks as it is spoken to. */
  void markAnswered(HostAndPort server) {
    if (answered.size() < MAX_SERVERS) {
      answered.add(server);
    }
  }

  /** Returns what to append to the message of a failed exchange without TLS; may be empty. */
  String ofPlain(HostAndPort server, Throwable cause) {
    boolean hungUp = cause instanceof SocketException || isEnd(cause);
    return hungUp && !answered.contains(server) ? USE_TLS : "";
  }

  /** Jedis reports the end of a stream itself. */
  private static boolean isEnd(Throwable cause) {
    return cause instanceof JedisConnectionException && cause.getCause() == null;
  }

  /** Returns what to append to the message of a failed handshake; may be empty. */
  String ofHandshake(HostAndPort server, Throwable cause) {
    boolean spokeTls =
        cause instanceof SSLHandshakeException && !(cause.getCause() instanceof EOFException);
    return spokeTls || answered.contains(server) ? "" : USE_NO_TLS;
  }
}
