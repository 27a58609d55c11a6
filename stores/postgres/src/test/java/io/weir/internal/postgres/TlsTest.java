package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Certificate;
import io.weir.seeds.OneDayIn;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts over TLS, and logs what to change where TLS doesn't come about. */
@OneDayIn(2)
class TlsTest {
  private static final String MODE = "weir.store.postgres.ssl-mode";
  private static final String TRUSTED = "weir.store.postgres.ssl-root-cert";
  private static final String ENCRYPTED =
      "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
          + " WHERE ssl AND application_name = 'weir' AND datname = current_database()";

  @TempDir private static Path folder;

  private static Certificate certificate;
  private static Certificate other;
  private static PostgresServer server;

  private final String database = server.newDatabase();

  @BeforeAll
  static void start() throws IOException {
    certificate = Certificate.make(Files.createDirectory(folder.resolve("here")), "ip:127.0.0.1");
    other = Certificate.make(Files.createDirectory(folder.resolve("other")), "ip:127.0.0.1");
    server =
        PostgresServer.start(
            PostgresServer.NEWEST,
            Map.of(
                "ssl",
                "on",
                "ssl_cert_file",
                certificate.pem().toString(),
                "ssl_key_file",
                certificate.key().toString()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static PostgresStore open(String url, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(Databases.PATIENT);
    all.putAll(settings);
    return Databases.open(url, all, new StoreClock(Ticker.system()));
  }

  private static Map<String, String> verifying(Certificate trusted) {
    return Map.of(MODE, "verify-full", TRUSTED, trusted.pem().toString());
  }

  /** The lines of the log about a node that isn't let in. */
  private static List<String> refused(String url, Map<String, String> settings) {
    try (LogLines log = new LogLines();
        PostgresStore store = open(url, settings)) {
      assertThrows(CompletionException.class, () -> PostgresSchemaTest.take(store, 1));
      return log.errors();
    }
  }

  /** The driver's own text, in the language of the machine, may stand between the two parts. */
  private void assertRefused(
      String beginning, String end, String url, Map<String, String> settings) {
    List<String> errors = refused(url, settings);
    assertEquals(1, errors.size(), errors.toString());
    String place = url.replaceAll("jdbc:postgresql://(.*)[?].*", "$1");
    String line = errors.get(0);
    assertTrue(
        line.startsWith("PostgreSQL at " + place + " can't be used by Weir: " + beginning), line);
    assertTrue(
        line.endsWith(end + "\nUntil then each policy decides by its onStoreFailure."), line);
    assertEquals(0, Databases.number(database, ENCRYPTED));
  }

  private void assertRefused(String advice, String url, Map<String, String> settings) {
    assertRefused(advice, advice, url, settings);
  }

  @Test
  void countsOverTlsByTheSettings() {
    try (PostgresStore store = open(database, verifying(certificate))) {
      assertEquals(1, PostgresSchemaTest.take(store, 1));
      assertEquals(1, Databases.number(database, ENCRYPTED));
    }
  }

  @Test
  void countsOverTlsByTheAddress() {
    String url = database + "&sslmode=verify-full&sslrootcert=" + certificate.pem();
    try (PostgresStore store = open(url, Map.of())) {
      assertEquals(1, PostgresSchemaTest.take(store, 1));
      assertEquals(1, Databases.number(database, ENCRYPTED));
    }
  }

  @Test
  void aCertificateOfAnotherCaIsRefused() {
    String advice =
        "its certificate isn't trusted. Set weir.store.postgres.ssl-root-cert to a file with the"
            + " certificate of its CA";
    assertRefused(advice, database, verifying(other));
    String twice = database.replaceAll("127.0.0.1:\\d+", "127.0.0.1:1,$0");
    assertRefused(advice, twice + "&targetServerType=primary", verifying(other));
  }

  @Test
  void aCertificateForAnotherHostIsRefused() {
    String url = database.replace("127.0.0.1", "localhost");
    try (LogLines driver = new LogLines("org.postgresql")) {
      assertRefused(
          "its certificate is for another host than weir.store names. Correct weir.store, or set"
              + " weir.store.postgres.ssl-mode=verify-ca",
          url,
          verifying(certificate));
      assertEquals(1, driver.errors().size());
    }
    Map<String, String> advised = new HashMap<>(verifying(certificate));
    advised.put(MODE, "verify-ca");
    try (PostgresStore store = open(url, advised)) {
      assertEquals(1, PostgresSchemaTest.take(store, 1));
    }
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = folder.resolve("missing");
    assertRefused(
        "weir.store.postgres.ssl-root-cert must be a file of trusted certificates in PEM: ",
        missing + ".",
        database,
        Map.of(MODE, "verify-full", TRUSTED, missing.toString()));
  }

  @Test
  void aServerWithoutTlsIsRefused() {
    assertRefused(
        "the driver can't log in: ",
        " Correct weir.store.postgres.ssl-mode, weir.store.postgres.user or"
            + " weir.store.postgres.password",
        PostgresServer.shared().url("postgres"),
        Map.of(MODE, "require"));
  }

  /** The driver prefers what stands in the address. */
  @Test
  void settingsReplaceWhatTheAddressHas() {
    Map<String, String> settings = new HashMap<>(verifying(certificate));
    settings.put("weir.store.postgres.user", "postgres");
    String url =
        database.replace("user=postgres", "sslmode=disable&user=absent&loadBalanceHosts=true");
    try (PostgresStore store = open(url, settings)) {
      assertEquals(1, PostgresSchemaTest.take(store, 1));
      assertEquals(1, Databases.number(database, ENCRYPTED));
    }
  }

  @Test
  void aServerThatTakesNothingPlainSaysSo() {
    server.newEncryptedRole("careful");
    Databases.run(database, "GRANT ALL ON SCHEMA public TO careful");
    String url = database.replace("user=postgres", "user=careful");
    Map<String, String> plain = Map.of(MODE, "disable");
    Await.until("pg_hba.conf applies", () -> isRefused(url, plain));
    assertRefused(
        "it refuses the login: its pg_hba.conf allows none for this user, address and encryption."
            + " Correct pg_hba.conf, weir.store.postgres.user or weir.store.postgres.ssl-mode",
        url,
        plain);
    try (PostgresStore store = open(url, Map.of())) {
      assertEquals(1, PostgresSchemaTest.take(store, 1));
      assertEquals(1, Databases.number(database, ENCRYPTED));
    }
  }

  private static boolean isRefused(String url, Map<String, String> settings) {
    try (LogLines log = new LogLines();
        PostgresStore store = open(url, settings)) {
      PostgresSchemaTest.take(store, 1);
      return !log.errors().isEmpty();
    } catch (CompletionException refused) {
      return true;
    }
  }
}
