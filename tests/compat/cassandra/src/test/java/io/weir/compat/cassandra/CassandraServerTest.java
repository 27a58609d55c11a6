package io.weir.compat.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import io.weir.seeds.DeepOnly;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CassandraServerTest {
  @BeforeAll
  static void assumeThatItRunsHere() {
    CassandraServer.assumePresent();
  }

  @Test
  @DeepOnly
  void keepsItsDataWhenItIsKilled() {
    try (CassandraServer server = CassandraServer.start()) {
      server.execute(
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      server.execute("CREATE TABLE k.t (a int PRIMARY KEY)");
      server.execute("INSERT INTO k.t (a) VALUES (?)", 42);
      server.flush("k");
      server.kill();
      assertThrows(DriverException.class, server::session);
      server.restart();
      assertEquals(42, server.execute("SELECT a FROM k.t").one().getInt(0));
    }
  }

  @Test
  @DeepOnly
  void asksForAPasswordAndSpeaksTls(@TempDir Path directory) {
    Certificate certificate = Certificate.make(directory, "ip:127.0.0.1");
    CassandraConfig config = CassandraConfig.plain().withPasswords();
    try (CassandraServer server = CassandraServer.start(config.withTls(certificate))) {
      server.execute("CREATE ROLE alice WITH PASSWORD = 'secret' AND LOGIN = true");
      assertThrows(DriverException.class, () -> connect(server, "secret", Optional.empty()));
      SSLContext trusting = certificate.client();
      assertThrows(DriverException.class, () -> connect(server, "wrong", Optional.of(trusting)));
      assertEquals("5.0.9", connect(server, "secret", Optional.of(trusting)));
    }
  }

  private static String connect(CassandraServer server, String password, Optional<SSLContext> tls) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .addContactPoint(server.contactPoint())
            .withLocalDatacenter(server.dataCentre())
            .withAuthCredentials("alice", password);
    tls.ifPresent(builder::withSslContext);
    try (CqlSession session = builder.build()) {
      return session.execute("SELECT release_version FROM system.local").one().getString(0);
    }
  }
}
