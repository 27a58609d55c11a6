package io.weir.internal.control.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.control.access.RoleCheck;
import io.weir.internal.control.settings.ControlSettings;
import io.weir.rules.Rules;
import io.weir.testkit.FakeTicker;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The clock stands still, so no stream ends because its time is up. */
class EventsResourceTest {
  private static final Map<String, String> ROLES =
      Map.of(
          ControlSettings.ADMIN_ROLE.name(),
          "weir-admin",
          ControlSettings.VIEW_ROLE.name(),
          "weir-view");
  private static final int MAX_READERS = 32;
  private static final int MAX_OF_CALLER = 8;

  private final Set<String> roles = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isOpen = new AtomicBoolean(true);
  private final FakeTicker ticker = new FakeTicker();
  private final Rules rules = rules();
  private final EventsResource resource =
      new EventsResource(
          new EventHub(rules, () -> false, List::of, ticker),
          isOpen::get,
          new RoleCheck(name -> ROLES.getOrDefault(name, "")),
          ticker);

  private static Rules rules() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return Rules.builder(database).build();
  }

  @AfterEach
  void close() {
    rules.close();
  }

  private final class Caller implements SecurityContext {
    private final String name;

    Caller(String name) {
      this.name = name;
    }

    @Override
    public Principal getUserPrincipal() {
      return () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return roles.contains(role);
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return "Bearer";
    }
  }

  private StreamingOutput stream() {
    return stream("eyes");
  }

  private StreamingOutput stream(String caller) {
    Response response = resource.events(null, null, new Caller(caller));
    assertEquals(200, response.getStatus());
    return (StreamingOutput) response.getEntity();
  }

  /** Writes a stream in a thread of its own until it ends. */
  private static CompletableFuture<String> written(StreamingOutput stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            stream.write(out);
            return out.toString(StandardCharsets.UTF_8);
          } catch (IOException failed) {
            throw new UncheckedIOException(failed);
          }
        },
        task -> {
          Thread thread = new Thread(task, "stream");
          thread.setDaemon(true);
          thread.start();
        });
  }

  /** Without an end of its own the stream would go on for ever. */
  private static void assertEnds(CompletableFuture<String> stream) throws Exception {
    assertTrue(stream.get(60, TimeUnit.SECONDS).contains("retry: 1000"));
  }

  @Test
  void aStreamEndsWhenItsReaderMayNoLongerView() throws Exception {
    roles.add("weir-view");
    CompletableFuture<String> stream = written(stream());
    roles.clear(); // as a revoked token does
    assertEnds(stream);
  }

  @Test
  void aStreamEndsWhenTheApiCloses() throws Exception {
    roles.add("weir-admin");
    CompletableFuture<String> stream = written(stream());
    isOpen.set(false);
    assertEnds(stream);
  }

  @Test
  void aStreamOfNoSecondsEndsAtOnce() throws Exception {
    roles.add("weir-view");
    assertEnds(
        written((StreamingOutput) resource.events(null, "0", new Caller("eyes")).getEntity()));
  }

  private void assertRefused(String caller) {
    WebApplicationException refused =
        assertThrows(WebApplicationException.class, () -> stream(caller));
    assertEquals(503, refused.getResponse().getStatus());
  }

  @Test
  void moreThan32StreamsAreRefusedUntilOneEnds() throws Exception {
    for (int i = 1; i < MAX_READERS; i++) {
      stream("eyes " + i);
    }
    StreamingOutput last = stream("last");
    assertRefused("another");
    assertEnds(written(last)); // at once, without a role
    stream("another");
  }

  @Test
  void oneCallerLeavesPlacesForOthers() throws Exception {
    StreamingOutput first = stream();
    for (int i = 1; i < MAX_OF_CALLER; i++) {
      stream();
    }
    assertRefused("eyes");
    stream("another");
    assertEnds(written(first));
    stream();
    assertRefused("eyes");
  }
}
