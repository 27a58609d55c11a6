package io.weir.internal.redis.address;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.attack.Cases;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Whatever is written as an address or a setting of a Redis is read, or refused by its rule. */
class AddressFuzzTest {
  private static final Cases CASES = new Cases("addresses and settings of a Redis");
  private static final String PASSWORD = "hunter2";
  private static final String[] SCHEMES = {
    "redis", "rediss", "redis-sentinel", "redis-cluster", "REDIS"
  };
  private static final String[] SHARDS = {
    ":",
    "/",
    "//",
    "@",
    ",",
    "?",
    "#",
    "%",
    "%2F",
    "%zz",
    "[",
    "]",
    "[::1]",
    "host",
    "127.0.0.1",
    "1",
    "65536",
    "99999999999",
    "-1",
    "tls=true",
    "?tls=false",
    "user",
    "0",
    "/0",
    "/m/1",
    "+",
    "é",
  };
  private static final String[] VALUES = {
    "",
    " ",
    "0",
    "1",
    "-1",
    "64",
    "65",
    "99999999999",
    "1.5",
    "1e3",
    "0x1",
    "true",
    "TRUE",
    "yes",
    "10ms",
    "1s",
    " 2 h ",
    "P",
    "PT",
    "PT1S",
    "-PT1S",
    "PT0.0000000001S",
    "P99999999999999D",
    "1000d",
    "999999999d",
    "1m1s",
    "٣",
    "\0",
  };
  private static final String[] NAMES = {
    "weir.store.timeout",
    "weir.store.redis.user",
    "weir.store.redis.password",
    "weir.store.redis.sentinel-user",
    "weir.store.redis.connections",
    "weir.store.redis.connect-timeout",
    "weir.store.redis.command-timeout",
    "weir.store.redis.verify-host",
    "weir.store.redis.trust-store",
  };

  @AfterAll
  static void tell() {
    CASES.tell();
  }

  @Test
  void anAddressIsReadOrRefusedAndNeverRepeatsAPassword() {
    CASES.times(
        20_000,
        random -> {
          StringBuilder text = new StringBuilder(Cases.one(random, SCHEMES)).append("://");
          if (random.nextBoolean()) {
            text.append("joe:").append(PASSWORD).append(Cases.one(random, "@", "", "#@", "/@"));
          }
          for (int shards = random.nextInt(9); shards > 0; shards--) {
            text.append(Cases.one(random, SHARDS));
          }
          try {
            RedisAddress read = RedisAddressParser.parse(new URI(text.toString()));
            assertTrue(!read.endpoints().isEmpty(), text.toString());
            assertFalse(read.toString().contains(PASSWORD), text.toString());
          } catch (IllegalArgumentException refused) {
            String message = String.valueOf(refused.getMessage());
            assertTrue(message.startsWith("weir.store must be "), message);
            assertFalse(message.contains(PASSWORD), message);
          } catch (URISyntaxException noAddress) {
            // Then it never comes here.
          }
        });
  }

  @Test
  void aSettingIsReadOrRefusedByItsName() {
    CASES.times(
        20_000,
        random -> {
          String name = Cases.one(random, NAMES);
          String value =
              Cases.one(random, VALUES) + Cases.one(random, "", "", Cases.one(random, VALUES));
          Map<String, String> given = Map.of(name, value);
          try {
            RedisSettings read = new RedisSettings(each -> given.getOrDefault(each, ""));
            assertTrue(
                read.get(RedisSettings.CONNECTIONS) >= 1 && read.connectMillis() >= 1, value);
            assertTrue(read.commandMillis() >= 1 && !read.storeTimeout().isNegative(), value);
          } catch (IllegalArgumentException refused) {
            assertTrue(String.valueOf(refused.getMessage()).startsWith(name), refused::getMessage);
          }
        });
  }
}
