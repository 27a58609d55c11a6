package io.weir.internal.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;

/** Tests the usual Java clients, Jedis and Lettuce, with both versions of the protocol. */
class ClientsTest {
  private static Served served;

  @BeforeAll
  static void start() {
    served = Served.closed();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private record Word(String text) implements ProtocolCommand, ProtocolKeyword {
    @Override
    public byte[] getRaw() {
      return text.getBytes(UTF_8);
    }

    @Override
    public byte[] getBytes() {
      return text.getBytes(UTF_8);
    }

    @Override
    @Deprecated
    public String name() {
      return text;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = RedisProtocol.class,
      names = {"RESP2", "RESP3"})
  void jedis(RedisProtocol protocol) {
    var config =
        DefaultJedisClientConfig.builder()
            .protocol(protocol)
            .password(Served.TOKEN)
            .clientName("worker")
            .build();
    try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", served.port()), config)) {
      String key = "jedis " + protocol;
      assertEquals("PONG", jedis.ping());
      assertEquals("worker", jedis.clientGetname());
      assertEquals(2L, jedis.sendCommand(new Word("RL.REDUCE"), key, "2", "60"));
      assertEquals(1L, jedis.sendCommand(new Word("RL.REDUCE"), key, "2", "60"));
      assertEquals(
          List.of(0L, 16L, 15L, -1L, 2L),
          jedis.sendCommand(new Word("CL.THROTTLE"), key, "15", "30", "60"));
      assertEquals(
          List.of(1L, 2147483647L, 2147483647L, -1L, 0L),
          jedis.sendCommand(new Word("WEIR.CHECK"), "alice", "/none"));
      JedisDataException wrong =
          assertThrows(
              JedisDataException.class,
              () -> jedis.sendCommand(new Word("RL.GET"), key, "2", "60", "TAKE", "1"));
      assertEquals("ERR Syntax error", wrong.getMessage());
      try (Pipeline pipeline = jedis.pipelined()) {
        List<Response<Object>> replies = new ArrayList<>();
        for (int i = 0; i < 160; i++) {
          replies.add(pipeline.sendCommand(new Word("RL.REDUCE"), key + " many", "160", "3600"));
        }
        pipeline.sync();
        for (int i = 0; i < 160; i++) {
          assertEquals(160L - i, replies.get(i).get());
        }
      }
    }
  }

  @Test
  void lettuce() throws Exception {
    RedisURI uri =
        RedisURI.builder()
            .withHost("127.0.0.1")
            .withPort(served.port())
            .withAuthentication("default", Served.TOKEN)
            .withClientName("worker")
            .build();
    RedisClient client = RedisClient.create(uri);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      var commands = connection.sync();
      assertEquals("PONG", commands.ping());
      assertEquals("worker", commands.clientGetname());
      assertEquals(2L, reduce(connection, "lettuce", 2).get(120, TimeUnit.SECONDS));
      assertEquals(1L, reduce(connection, "lettuce", 2).get(120, TimeUnit.SECONDS));
      assertEquals(
          List.of(0L, 16L, 15L, -1L, 2L),
          commands.dispatch(
              new Word("CL.THROTTLE"),
              new NestedMultiOutput<>(StringCodec.UTF8),
              new CommandArgs<>(StringCodec.UTF8).addKey("lettuce").add(15).add(30).add(60)));
      List<RedisFuture<Long>> replies = new ArrayList<>();
      connection.setAutoFlushCommands(false);
      for (int i = 0; i < 160; i++) {
        replies.add(reduce(connection, "lettuce many", 160));
      }
      connection.flushCommands();
      connection.setAutoFlushCommands(true);
      for (int i = 0; i < 160; i++) {
        assertEquals(160L - i, replies.get(i).get(120, TimeUnit.SECONDS));
      }
      RedisCommandExecutionException unknown =
          assertThrows(RedisCommandExecutionException.class, () -> commands.get("a"));
      assertTrue(String.valueOf(unknown.getMessage()).startsWith("ERR unknown command 'GET'"));
    } finally {
      client.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  private static RedisFuture<Long> reduce(
      StatefulRedisConnection<String, String> connection, String key, int max) {
    return connection
        .async()
        .dispatch(
            new Word("RL.REDUCE"),
            new IntegerOutput<>(StringCodec.UTF8),
            new CommandArgs<>(StringCodec.UTF8).addKey(key).add(max).add(3_600));
  }
}
