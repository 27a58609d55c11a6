package io.weir.internal.control.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.settings.ControlSettings;
import io.weir.spi.RequestInfo;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ContainerRequest;
import org.junit.jupiter.api.Test;

/** Servers read a URI in different ways if it has characters that none may have. */
class GatewayRequestTest {
  private static final Map<String, String> SETTINGS =
      Map.of(ControlSettings.FORWARD_BY.name(), "either", "weir.rules.caller", "");

  private static GatewayRequest request(String uri) {
    ContainerRequest sent =
        new ContainerRequest(
            URI.create("http://localhost/"),
            URI.create("http://localhost/v1/ratelimit/forward"),
            "GET",
            null,
            new MapPropertiesDelegate(new HashMap<>()),
            null);
    sent.header("X-Forwarded-Method", "get");
    sent.header("X-Forwarded-Uri", uri);
    sent.header("X-Forwarded-For", "192.0.2.1");
    return GatewayRequest.of(sent, name -> SETTINGS.getOrDefault(name, ""), RequestInfo::peer);
  }

  private static void assertRefused(String uri) {
    InvalidFieldException refused =
        assertThrows(InvalidFieldException.class, () -> request(uri), uri);
    assertEquals("endpoint", refused.field());
  }

  @Test
  void aUriOfPrintableAsciiIsRead() {
    assertEquals("GET", request("/a").method());
    assertEquals("/~a!", request("/~a!?q=%7F").endpoint());
  }

  @Test
  void controlCharactersSpacesAndOthersAreRefused() {
    for (String wrong :
        List.of("/a\u007fb", "/a\u0000b", "/a\u001fb", "/a b", "/a\u0080b", "/ä", "a", "*")) {
      assertRefused(wrong);
    }
  }
}
