package io.weir.spring.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.Certificate;
import io.weir.compat.redis.ClusterSetup;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.redis.SentinelSetup;
import io.weir.spring.operations.BootedApplication;
import io.weir.spring.operations.Plain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleRegistry;

/** The store takes its address, login and certificates from Spring's Redis. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class SpringRedisTest {
  private static final Policy POLICY =
      Policy.builder("shared").limit(100).window(Duration.ofHours(1)).build();

  @TempDir private Path directory;

  private static BootedApplication start(String... properties) {
    String[] all =
        Stream.of(
                new String[] {
                  "weir.store=spring", "weir.secret=of the tests", "weir.store.timeout=5s"
                },
                properties)
            .flatMap(Stream::of)
            .toArray(String[]::new);
    return BootedApplication.start(WebApplicationType.NONE, Plain.class, all);
  }

  /** Decides until the store has done so itself: a busy machine may be late. */
  private static void assertShared(Weir weir) {
    Await.until(
        "the store decides", () -> !weir.limiter().tryAcquire(POLICY, Key.of("caller")).degraded());
    assertFalse(weir.isStoreAway());
  }

  private static String failure(String... properties) {
    BeanCreationException failed =
        assertThrows(BeanCreationException.class, () -> start(properties).close());
    Throwable root = failed;
    while (!(root instanceof InvalidSettingException) && root.getCause() != null) {
      root = root.getCause();
    }
    assertTrue(root instanceof InvalidSettingException, failed.toString());
    return String.valueOf(root.getMessage());
  }

  @Test
  void takesHostPortAndDatabase() {
    try (RedisServer server = RedisServer.start();
        BootedApplication application =
            start(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + server.port(),
                "spring.data.redis.database=3")) {
      assertShared(application.weir());
      assertEquals("Redis at 127.0.0.1:" + server.port(), application.weir().store());
      assertTrue(server.ask("INFO", "keyspace").contains("db3:"), "the database");
    }
  }

  @Test
  void takesTheLoginOfAUrl() {
    try (RedisServer server = RedisServer.start("user weir on >p@ss:word ~* &* +@all");
        BootedApplication application =
            start("spring.data.redis.url=redis://weir:p%40ss%3Aword@127.0.0.1:" + server.port())) {
      assertShared(application.weir());
      assertTrue(server.ask("CLIENT", "LIST").contains("user=weir"), "the user");
      assertFalse(application.weir().store().contains("ss:word"), application.weir().store());
    }
  }

  @Test
  void takesUserAndPassword() {
    try (RedisServer server = RedisServer.start("user weir on >secret ~* &* +@all");
        BootedApplication application =
            start(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + server.port(),
                "spring.data.redis.username=weir",
                "spring.data.redis.password=secret")) {
      assertShared(application.weir());
      assertTrue(server.ask("CLIENT", "LIST").contains("user=weir"), "the user");
    }
  }

  @Test
  void prefersTheLoginOfItsOwnSettings() {
    try (RedisServer server = RedisServer.start("user weir on >secret ~* &* +@all");
        BootedApplication application =
            start(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + server.port(),
                "spring.data.redis.username=other",
                "spring.data.redis.password=wrong",
                "weir.store.redis.user=weir",
                "weir.store.redis.password=secret")) {
      assertShared(application.weir());
      assertTrue(server.ask("CLIENT", "LIST").contains("user=weir"), "the user");
    }
  }

  @Test
  void takesTheCertificatesOfAnSslBundle() {
    Certificate certificate = Certificate.make(directory, "ip:127.0.0.1");
    int port = RedisServer.freePort();
    String[] config =
        Stream.of(certificate.config(port))
            .map(each -> each.equals("tls-auth-clients no") ? "tls-auth-clients yes" : each)
            .toArray(String[]::new);
    String file = "file:" + certificate.trustStore();
    String[] redis = {
      "spring.data.redis.host=127.0.0.1",
      "spring.data.redis.port=" + port,
      "spring.data.redis.ssl.bundle=redis",
      "spring.ssl.bundle.jks.redis.options.enabled-protocols=TLSv1.2",
      "spring.ssl.bundle.jks.redis.truststore.location=" + file,
      "spring.ssl.bundle.jks.redis.truststore.password=" + Certificate.PASSWORD,
      "spring.ssl.bundle.jks.redis.truststore.type=PKCS12",
      "spring.ssl.bundle.jks.redis.keystore.location=" + file,
      "spring.ssl.bundle.jks.redis.keystore.password=" + Certificate.PASSWORD,
      "spring.ssl.bundle.jks.redis.keystore.type=PKCS12"
    };
    try (RedisServer server = RedisServer.start(config);
        BootedApplication application = start(redis)) {
      assertShared(application.weir());
      assertEquals("Redis at 127.0.0.1:" + port, application.weir().store());
      assertTrue(server.ask("INFO", "keyspace").contains("db0:"));
    }
  }

  private static Supplier<SslBundle> certificates(BootedApplication application) {
    RedisDetailsFinder finder = application.context().getBean(RedisDetailsFinder.class);
    return finder.find().certificates().orElseThrow();
  }

  /** A new one would be read from the disk for each connection. */
  @Test
  void takesWhatTheJvmTrustsOnce() {
    try (BootedApplication application =
        BootedApplication.start(
            WebApplicationType.NONE,
            Plain.class,
            "spring.data.redis.host=127.0.0.1",
            "spring.data.redis.ssl.enabled=true")) {
      Supplier<SslBundle> certificates = certificates(application);
      assertSame(certificates.get(), certificates.get());
    }
  }

  @Test
  void followsABundleThatIsReloaded() {
    Certificate certificate = Certificate.make(directory, "ip:127.0.0.1");
    try (BootedApplication application =
        BootedApplication.start(
            WebApplicationType.NONE,
            Plain.class,
            "spring.data.redis.host=127.0.0.1",
            "spring.data.redis.ssl.bundle=redis",
            "spring.ssl.bundle.jks.redis.truststore.location=file:" + certificate.trustStore(),
            "spring.ssl.bundle.jks.redis.truststore.password=" + Certificate.PASSWORD,
            "spring.ssl.bundle.jks.redis.truststore.type=PKCS12")) {
      Supplier<SslBundle> certificates = certificates(application);
      SslBundle before = certificates.get();
      assertSame(before, certificates.get());
      SslBundle reloaded = SslBundle.of(before.getStores());
      application.context().getBean(SslBundleRegistry.class).updateBundle("redis", reloaded);
      assertSame(reloaded, certificates.get());
    }
  }

  @Test
  void encryptsWithoutABundleByWhatTheJvmTrusts() {
    Certificate certificate = Certificate.make(directory, "ip:127.0.0.1");
    int port = RedisServer.freePort();
    try (RedisServer server = RedisServer.start(certificate.config(port));
        BootedApplication application =
            start(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + port,
                "spring.data.redis.ssl.enabled=true")) {
      Await.until("the certificate isn't trusted", () -> application.weir().isStoreAway());
      assertEquals("", server.ask("INFO", "keyspace").replace("# Keyspace", "").strip());
    }
  }

  @Test
  void encryptsWhereTheUrlSaysSo() {
    Certificate certificate = Certificate.make(directory, "ip:127.0.0.1");
    int port = RedisServer.freePort();
    try (RedisServer server = RedisServer.start(certificate.config(port));
        BootedApplication application =
            start(
                "spring.data.redis.url=rediss://127.0.0.1:" + port,
                "weir.store.redis.trust-store=" + certificate.trustStore(),
                "weir.store.redis.trust-store-password=" + Certificate.PASSWORD)) {
      assertShared(application.weir());
      assertTrue(server.ask("INFO", "keyspace").contains("db0:"));
    }
  }

  @Test
  void takesSentinels() {
    try (SentinelSetup setup = SentinelSetup.start();
        BootedApplication application =
            start(
                "spring.data.redis.sentinel.master=weir",
                "spring.data.redis.sentinel.nodes=" + nodes(setup.sentinels()))) {
      assertShared(application.weir());
      assertTrue(application.weir().store().startsWith("Redis weir of the sentinels at "));
      assertTrue(setup.master().ask("INFO", "keyspace").contains("db0:"));
    }
  }

  @Test
  void takesACluster() {
    try (ClusterSetup setup = ClusterSetup.start();
        BootedApplication application =
            start("spring.data.redis.cluster.nodes=" + nodes(setup.masters()))) {
      assertShared(application.weir());
      assertTrue(application.weir().store().startsWith("Redis Cluster at "));
    }
  }

  private static String nodes(List<RedisServer> servers) {
    return servers.stream()
        .map(each -> "127.0.0.1:" + each.port())
        .collect(Collectors.joining(","));
  }

  @Test
  void saysWhatToSetIfNothingIsConfigured() {
    String message = failure();
    assertTrue(message.contains("spring.data.redis.host"), message);
    assertTrue(message.startsWith("weir.store=spring"), message);
  }

  @Test
  void looksNothingUpUnlessAsked() {
    try (BootedApplication application =
        BootedApplication.start(WebApplicationType.NONE, Plain.class)) {
      assertEquals("inprocess:", application.weir().store());
    }
  }
}
