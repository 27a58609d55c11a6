package io.weir.internal.redis.address;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.redis.address.RedisAddress.Kind;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "redis://h h:6379 '' '' 0 false",
        "redis://h/ h:6379 '' '' 0 false",
        "REDIS://h:1 h:1 '' '' 0 false",
        "redis://my_host:65535/15 my_host:65535 '' '' 15 false",
        "redis://127.0.0.1:7000 127.0.0.1:7000 '' '' 0 false",
        "redis://[::1]:7000/2 [::1]:7000 '' '' 2 false",
        "redis://[::1] [::1]:6379 '' '' 0 false",
        "redis://joe@h h:6379 joe '' 0 false",
        "redis://:pw@h h:6379 '' pw 0 false",
        "redis://joe:p:w@h h:6379 joe p:w 0 false",
        "redis://joe:p@w@h h:6379 joe p@w 0 false",
        "redis://j%3Ae:p%40%2F%23%25+@h h:6379 j:e p@/#%+ 0 false",
        "rediss://h h:6379 '' '' 0 true",
        "rediss://joe:pw@h:7/1 h:7 joe pw 1 true",
      })
  void oneServer(
      String url, String endpoint, String user, String password, int database, boolean tls) {
    RedisAddress address = RedisAddressParser.parse(URI.create(url));
    assertEquals(Kind.ALONE, address.kind());
    assertEquals(endpoint, address.endpoints().get(0).toString());
    assertEquals(new Login(user, password), address.login());
    assertEquals(database, address.database());
    assertEquals(tls, address.tls());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "redis-sentinel://a/m a:26379 m 0 false",
        "redis-sentinel://a,b:1,c/m/3 a:26379,b:1,c:26379 m 3 false",
        "redis-sentinel://joe:pw@a,b/my%20m/0?tls=true a:26379,b:26379 'my m' 0 true",
        "redis-sentinel://a/m?tls=false a:26379 m 0 false",
      })
  void sentinels(String url, String endpoints, String master, int database, boolean tls) {
    RedisAddress address = RedisAddressParser.parse(URI.create(url));
    assertEquals(Kind.SENTINEL, address.kind());
    assertEquals(endpoints, joined(address.endpoints()));
    assertEquals(master, address.master());
    assertEquals(database, address.database());
    assertEquals(tls, address.tls());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "redis-cluster://a a:6379 false",
        "redis-cluster://joe:pw@a:7000,b:7001,c a:7000,b:7001,c:6379 false",
        "redis-cluster://a,b/?tls=true a:6379,b:6379 true",
      })
  void clusters(String url, String endpoints, boolean tls) {
    RedisAddress address = RedisAddressParser.parse(URI.create(url));
    assertEquals(Kind.CLUSTER, address.kind());
    assertEquals(endpoints, joined(address.endpoints()));
    assertEquals(tls, address.tls());
  }

  private static String joined(List<HostAndPort> endpoints) {
    return String.join(",", endpoints.stream().map(HostAndPort::toString).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis:h",
        "redis:/h",
        "redis:///0",
        "redis://:pwd@/0",
        "redis://h:0",
        "redis://h:65536",
        "redis://h:x",
        "redis://h:",
        "redis://h:1:2",
        "redis://a,b",
        "redis://joe:pwd@a,b",
        "redis://h/x",
        "redis://h/-1",
        "redis://h/1/2",
        "redis://h/99999999999",
        "redis://h?db=1",
        "redis://h?tls=true",
        "redis://joe:pwd#x@h",
        "redis://joe:pwd/x@h",
        "redis://joe:pwd?x@h",
        "redis-sentinel://a",
        "redis-sentinel://a/",
        "redis-sentinel://a,/m",
        "redis-sentinel://a,,b/m",
        "redis-sentinel://joe:pwd@a/m/x",
        "redis-sentinel://a/m/1/2",
        "redis-sentinel://a/m?tls=yes",
        "redis-sentinel://a/m?pwd",
        "redis-cluster://joe:pwd@a/1",
        "redis-cluster://a,b:/",
      })
  void whatIsMalformedNamesTheSettingAndNoPassword(String url) {
    URI uri = URI.create(url);
    String message =
        assertThrows(IllegalArgumentException.class, () -> RedisAddressParser.parse(uri))
            .getMessage();
    assertTrue(message.startsWith("weir.store must be " + uri.getScheme()), message);
    assertFalse(message.contains("pwd"), message);
  }

  @Test
  void itsTextShowsNoPassword() {
    String text = RedisAddressParser.parse(URI.create("redis://joe:pwd@h")).toString();
    assertTrue(text.contains("joe"), text);
    assertFalse(text.contains("pwd"), text);
  }
}
