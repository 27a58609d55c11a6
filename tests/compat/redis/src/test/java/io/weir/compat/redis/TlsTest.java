package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store on a Redis that speaks TLS: it is believed only if its certificate is. */
class TlsTest {
  @TempDir private static Path directory;
  private static Certificate certificate;

  @BeforeAll
  static void make() throws IOException {
    certificate =
        Certificate.make(Files.createDirectory(directory.resolve("here")), "ip:127.0.0.1");
  }

  private static RedisServer server(Certificate shown, int port) {
    return RedisServer.start(shown.config(port));
  }

  @Test
  void believesWhoIsInTheTrustStore() {
    int port = RedisServer.freePort();
    try (RedisServer server = server(certificate, port);
        Asker asker = new Asker("rediss://127.0.0.1:" + port, trust(certificate));
        Asker plain = new Asker("redis://127.0.0.1:" + port)) {
      assertEquals("left 9", asker.left("a"));
      assertEquals("left 8", asker.left("a"));
      assertEquals("1", server.ask("DBSIZE"));
      assertTrue(plain.fresh().startsWith("Redis at"), plain.fresh());
    }
  }

  @Test
  void believesNobodyElse() {
    int port = RedisServer.freePort();
    try (RedisServer server = server(certificate, port);
        Asker asker = new Asker("rediss://127.0.0.1:" + port)) {
      assertTrue(asker.fresh().contains("certification path"), asker.fresh());
      assertEquals("0", server.ask("DBSIZE"));
    }
  }

  @Test
  void believesACertificateForAnotherHostOnlyIfAskedTo() {
    Certificate other = Certificate.make(directory, "dns:elsewhere.example");
    int port = RedisServer.freePort();
    String url = "rediss://127.0.0.1:" + port;
    String[] trust = trust(other);
    try (RedisServer server = server(other, port);
        Asker asker = new Asker(url, trust);
        Asker bold =
            new Asker(
                url, trust[0], trust[1], trust[2], trust[3], "store.redis.verify-host", "false")) {
      assertTrue(asker.fresh().contains("127.0.0.1"), asker.fresh());
      assertEquals("0", server.ask("DBSIZE"));
      assertEquals("left 9", bold.fresh());
    }
  }

  @Test
  void usesTheSocketsOfTheCallerForEachConnection() throws Exception {
    Certificate renewed =
        Certificate.make(Files.createDirectory(directory.resolve("new")), "ip:127.0.0.1");
    int port = RedisServer.freePort();
    AtomicReference<Certificate> trusted = new AtomicReference<>(renewed);
    Supplier<SSLSocketFactory> sockets = () -> factory(trusted.get());
    try (RedisServer server = server(certificate, port);
        Asker asker = new Asker("rediss://127.0.0.1:" + port, sockets)) {
      assertTrue(asker.fresh().contains("its certificate isn't trusted"), asker.fresh());
      assertEquals("0", server.ask("DBSIZE"));
      trusted.set(certificate);
      Await.until("the renewed certificate applies", () -> asker.answers());
    }
  }

  private static SSLSocketFactory factory(Certificate trusted) {
    try {
      KeyStore store =
          KeyStore.getInstance(trusted.trustStore().toFile(), Certificate.PASSWORD.toCharArray());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void saysWhatATrustStoreMustBe() throws IOException {
    Path nonsense = Files.writeString(directory.resolve("nonsense"), "nonsense");
    for (String[] each :
        new String[][] {
          {directory.resolve("missing").toString(), "hidden"},
          {nonsense.toString(), "hidden"},
          {certificate.trustStore().toString(), "hidden"}
        }) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      new Asker(
                          "rediss://localhost",
                          "store.redis.trust-store",
                          each[0],
                          "store.redis.trust-store-password",
                          each[1]))
              .getMessage();
      assertTrue(message.startsWith("weir.store.redis.trust-store"), message);
      assertFalse(message.contains("hidden"), message);
    }
  }

  private static String[] trust(Certificate certificate) {
    return new String[] {
      "store.redis.trust-store",
      certificate.trustStore().toString(),
      "store.redis.trust-store-password",
      Certificate.PASSWORD
    };
  }
}
