package io.weir.internal.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceivedRequestTest {
  private static final String PEER = "192.0.2.1";
  private static final Logger LOG = Logger.getLogger("io.weir.internal.container");

  private final List<String> lines = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** As of a sign-in. */
  private static class Plain extends HttpServletRequestWrapper {
    Plain(HttpServletRequest request) {
      super(request);
    }
  }

  private static final class Claim extends Plain {
    Claim(HttpServletRequest request) {
      super(request);
    }

    @Override
    public String getRemoteAddr() {
      return "203.0.113.1";
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return name.equalsIgnoreCase("forwarded")
          ? Collections.emptyEnumeration()
          : super.getHeaders(name);
    }
  }

  private static final class Failing extends Plain {
    Failing(HttpServletRequest request) {
      super(request);
    }

    @Override
    public String getRemoteAddr() {
      throw new IllegalStateException("out of order");
    }
  }

  /** A container's request, with both header fields. */
  private static HttpServletRequest received() {
    return received(null);
  }

  /** One that a part of the server has seen before the container changed it. */
  private static HttpServletRequest received(@Nullable Object arrival) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            HttpServletRequest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getRemoteAddr" -> PEER;
                  case "getHeaders" ->
                      Collections.enumeration(List.of("values of " + arguments[0]));
                  case "getAttribute" -> arguments[0].equals(Arrival.ATTRIBUTE) ? arrival : null;
                  default -> null;
                });
  }

  @BeforeEach
  void listen() {
    LOG.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOG.removeHandler(handler);
  }

  @Test
  void findsTheContainersRequestBelowAllWrappers() {
    HttpServletRequest received = received();
    assertSame(received, ReceivedRequest.of(received));
    assertSame(received, ReceivedRequest.of(new Plain(new Claim(received))));
  }

  @Test
  void readsThePeerOfTheContainerAndWhatAFilterHides() {
    Peer peer = ReceivedRequest.peer(new Plain(new Claim(received()))).orElseThrow();
    assertEquals(PEER, peer.address());
    assertEquals(Optional.of(List.of("values of forwarded")), peer.received("Forwarded"));
    assertEquals(Optional.empty(), peer.received("X-Forwarded-For"), "which isn't hidden");
    assertEquals(Map.of(), ReceivedRequest.peer(new Plain(received())).orElseThrow().received());
  }

  @Test
  void namesTheClassThatReportsAnotherAddress() {
    assertEquals(
        Optional.of(Claim.class.getName()),
        ReceivedRequest.addressWrapper(new Plain(new Claim(new Plain(received())))));
    assertEquals(Optional.empty(), ReceivedRequest.addressWrapper(received()));
    assertEquals(Optional.empty(), ReceivedRequest.addressWrapper(new Plain(received())));
    assertEquals(Optional.empty(), ReceivedRequest.addressWrapper(new Failing(received())));
    assertEquals(PEER, ReceivedRequest.peer(new Failing(received())).orElseThrow().address());
  }

  @Test
  void readsWhatTheServerReceivedBeforeItAppliedTheHeader() {
    Map<String, List<String>> sent =
        Map.of("x-forwarded-for", List.of("203.0.113.9, 198.51.100.7", "198.51.100.8"));
    Object arrival = Arrival.of("10.1.2.3", field -> sent.getOrDefault(field, List.of()));
    HttpServletRequest received = received(arrival);
    Peer peer = ReceivedRequest.peer(received).orElseThrow();
    assertEquals("10.1.2.3", peer.address());
    assertEquals(
        Optional.ofNullable(sent.get("x-forwarded-for")), peer.received("X-Forwarded-For"));
    assertEquals(Optional.of(List.of()), peer.received("Forwarded"), "which wasn't sent");
    assertEquals(
        "10.1.2.3", ReceivedRequest.peer(new Plain(new Claim(received))).orElseThrow().address());
    assertEquals(
        Optional.of(received.getClass().getName()), ReceivedRequest.addressWrapper(received));
    Object same = Arrival.of(PEER, field -> List.of("values of " + field));
    assertEquals(Peer.at(PEER), ReceivedRequest.peer(received(same)).orElseThrow());
  }

  /** An attribute is text where a filter or a proxy's protocol has set it. */
  @Test
  void believesNoOtherAttributeOfThatName() {
    assertEquals(Peer.at(PEER), ReceivedRequest.peer(received("10.1.2.3")).orElseThrow());
  }

  @Test
  void warnsOncePerClassUnlessProxiesAreNamed() {
    IgnoredAddressWarning.note("a.Wrapper", name -> "10.0.0.1");
    IgnoredAddressWarning.note(
        "a.Wrapper",
        name -> {
          throw new IllegalStateException("closed");
        });
    assertEquals(List.of(), lines);
    IgnoredAddressWarning.note("a.Wrapper", name -> "");
    IgnoredAddressWarning.note("a.Wrapper", name -> "");
    IgnoredAddressWarning.note("b.Wrapper", name -> name.equals("weir.proxy.trusted") ? "" : "x");
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.get(0).contains("(a.Wrapper)"), lines::toString);
    assertTrue(lines.get(0).contains("weir.proxy.trusted"), lines::toString);
    assertTrue(lines.get(0).contains("io.weir.spi.PeerAddress"), lines::toString);
  }
}
