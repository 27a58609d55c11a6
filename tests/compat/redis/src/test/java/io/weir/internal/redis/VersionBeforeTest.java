package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.Ticker;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.versions.RecordedClaims;
import io.weir.compat.versions.StoredRows;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.LeasingStore;
import java.net.URI;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.params.SetParams;

/** A node of the version before and one of this count together. */
class VersionBeforeTest {
  private final ScriptRig redis = ScriptRig.withoutLifetimes();

  @AfterEach
  void close() {
    redis.close();
  }

  @Test
  void grantsAndWritesWhatThatOneWould() {
    RecordedClaims.check(VersionBeforeTest.class, new Rows());
  }

  /** Keys of a prefix of its own. The times of nodes and of the epoch are those of the server. */
  private final class Rows implements StoredRows {
    private static final String TIME_BEFORE_COLON = "\\d{16}(?=:)";
    private static final long LASTING_SECONDS = 150;

    @Override
    public LeasingStore open(LongSupplier micros) {
      redis.setClock(micros.getAsLong());
      RedisSettings patient =
          new RedisSettings(name -> name.equals("weir.store.timeout") ? "10s" : "");
      RedisConnections connections =
          new RedisConnections(
              RedisAddressParser.parse(URI.create(RedisServer.shared())), patient, Ticker.system());
      return new RedisStore(connections, redis.keys, redis.scripts, Ticker.system());
    }

    @Override
    public List<String> read(int step) {
      List<String> rows = new ArrayList<>();
      for (String key : redis.jedis.keys(redis.prefix + ":*")) {
        String name = key.substring(redis.prefix.length() + 1);
        if (name.equals("nodes")) {
          redis
              .jedis
              .hgetAll(key)
              .forEach((node, held) -> rows.add(row(name, node, timeless(held))));
        } else if (name.equals("epoch")) {
          rows.add(row(name, "", timeless(redis.jedis.get(key))));
        } else if (name.startsWith("{")) {
          byte[] value = redis.jedis.get(key.getBytes(US_ASCII));
          rows.add(row(name, "", HexFormat.of().formatHex(value)));
        }
      }
      return rows;
    }

    private static String row(String... parts) {
      return String.join("|", parts);
    }

    private static String timeless(String value) {
      return value.replaceAll(TIME_BEFORE_COLON, "TIME");
    }

    @Override
    public void replace(List<String> rows) {
      redis.jedis.keys(redis.prefix + ":*").forEach(redis.jedis::del);
      String soon = Long.toString(redis.micros() + LASTING_SECONDS * 1_000_000);
      for (String row : rows) {
        String[] parts = row.split("\\|");
        String key = redis.prefix + ":" + parts[0];
        String value = parts[2].replace("TIME", soon);
        if (!parts[1].isEmpty()) {
          redis.jedis.hset(key, parts[1], value);
          redis.jedis.expire(key, LASTING_SECONDS);
        } else {
          redis.jedis.set(
              key.getBytes(US_ASCII),
              parts[0].startsWith("{") ? HexFormat.of().parseHex(value) : value.getBytes(US_ASCII),
              SetParams.setParams().ex(LASTING_SECONDS));
        }
      }
    }
  }
}
