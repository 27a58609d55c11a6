package io.weir.benchmarks.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The script of {@link ScriptEach} by Lettuce: a connection for each thread, on which it waits for
 * the answer that an event loop reads.
 */
final class ScriptByLettuce implements Contender {
  private final RedisClient client;
  private final List<StatefulRedisConnection<byte[], byte[]>> connections;
  private final AtomicInteger taken = new AtomicInteger();
  private final ThreadLocal<StatefulRedisConnection<byte[], byte[]>> own;
  private final String sha;
  private final byte[] limit;

  /** So many requests a minute, by a Redis on this machine. */
  ScriptByLettuce(int port, int threads, long limit) {
    client = RedisClient.create("redis://127.0.0.1:" + port);
    connections =
        Stream.generate(() -> client.connect(ByteArrayCodec.INSTANCE)).limit(threads).toList();
    own = ThreadLocal.withInitial(() -> connections.get(taken.getAndIncrement() % threads));
    sha = connections.get(0).sync().scriptLoad(ScriptEach.SCRIPT);
    this.limit = bytes(Long.toString(limit));
  }

  @Override
  public boolean admits(String caller) {
    List<Object> answer =
        own.get()
            .sync()
            .evalsha(
                sha,
                ScriptOutputType.MULTI,
                new byte[][] {bytes("limit:" + caller)},
                limit,
                bytes(ScriptEach.WINDOW_MILLIS));
    return Long.valueOf(1).equals(answer.get(0));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
