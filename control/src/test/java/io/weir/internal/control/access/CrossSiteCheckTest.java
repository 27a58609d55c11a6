package io.weir.internal.control.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.control.settings.ControlSettings;
import jakarta.ws.rs.WebApplicationException;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ContainerRequest;
import org.junit.jupiter.api.Test;

/** Requests that another site makes a browser send. */
class CrossSiteCheckTest {
  private static final int ADMITTED = 200;
  private static final int FORBIDDEN = 403;
  private static final String HOST = "limits.example:8443";
  private static final String OWN = "https://limits.example:8443";

  private final Map<String, String> settings = new HashMap<>();
  private final CrossSiteCheck check =
      new CrossSiteCheck(new ServerOrigins(name -> settings.getOrDefault(name, "")));
  private final Map<String, String> headers = new LinkedHashMap<>(Map.of("Host", HOST));

  private int status(String method) {
    ContainerRequest request =
        new ContainerRequest(
            URI.create("https://limits.example/"),
            URI.create("https://limits.example/v1/ratelimit/check"),
            method,
            null,
            new MapPropertiesDelegate(new HashMap<>()),
            null);
    headers.forEach(request::header);
    try {
      check.check(request);
      return ADMITTED;
    } catch (WebApplicationException refused) {
      return refused.getResponse().getStatus();
    }
  }

  /** With DNS rebinding the page of another site reads answers as its own. */
  @Test
  void withACookieTheHostMustBeKnownWhereHostsAreSet() {
    settings.put(ControlSettings.HOSTS.name(), "limits.example");
    headers.put("Cookie", "session=1");
    for (String known : List.of(HOST, "LIMITS.example", "localhost:1", "127.0.0.1", "[::1]:1")) {
      headers.put("Host", known);
      assertEquals(ADMITTED, status("GET"), known);
    }
    for (String rebound :
        List.of("rebound.example", "limits.example.evil", "limits.example:", "[::2]:1", "")) {
      headers.put("Host", rebound);
      assertEquals(
          rebound.equals("limits.example:") ? ADMITTED : FORBIDDEN, status("GET"), rebound);
    }
    headers.remove("Host");
    assertEquals(FORBIDDEN, status("GET"));
  }

  @Test
  void withoutACookieOrWithoutHostsEachHostIsAdmitted() {
    headers.put("Host", "rebound.example");
    settings.put(ControlSettings.HOSTS.name(), "limits.example");
    assertEquals(ADMITTED, status("GET"));
    settings.clear();
    headers.put("Cookie", "session=1");
    assertEquals(ADMITTED, status("GET"));
  }

  @Test
  void aBearerTokenProvesThatThePageSentIt() {
    settings.put(ControlSettings.HOSTS.name(), "limits.example");
    headers.putAll(Map.of("Host", "rebound.example", "Cookie", "session=1"));
    headers.put("Authorization", "bearer x");
    assertEquals(ADMITTED, status("POST"));
    headers.put("Authorization", "Basic x");
    assertEquals(FORBIDDEN, status("POST"));
    assertEquals(FORBIDDEN, status("GET"));
  }

  @Test
  void aChangeNeedsTheOriginOfThisServerAndAFieldThatNoFormSends() {
    assertEquals(FORBIDDEN, status("POST"));
    headers.put("Origin", OWN);
    assertEquals(FORBIDDEN, status("POST"), "without X-Weir");
    headers.put("X-Weir", "0");
    assertEquals(FORBIDDEN, status("POST"));
    headers.put("X-Weir", "1");
    for (String change : List.of("POST", "PUT", "DELETE", "PATCH")) {
      assertEquals(ADMITTED, status(change), change);
    }
    headers.put("Origin", "https://evil.example");
    assertEquals(FORBIDDEN, status("POST"));
    for (String safe : List.of("GET", "HEAD", "OPTIONS")) {
      assertEquals(ADMITTED, status(safe), safe);
    }
  }

  @Test
  void theOriginsMayBeSet() {
    settings.put(ControlSettings.ORIGIN.name(), "https://console.example, https://b.example");
    headers.putAll(Map.of("X-Weir", "1", "Origin", "https://B.example"));
    assertEquals(ADMITTED, status("POST"));
    headers.put("Origin", OWN);
    assertEquals(FORBIDDEN, status("POST"), "no longer made of the Host");
  }
}
