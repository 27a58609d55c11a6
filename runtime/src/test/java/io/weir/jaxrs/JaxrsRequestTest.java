package io.weir.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import io.weir.Weir;
import io.weir.adapter.AdapterOptions;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.container.Peer;
import io.weir.internal.container.PeerLookup;
import io.weir.internal.extension.SafeUserNames;
import io.weir.spi.RequestInfo;
import io.weir.spi.UserNames;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ContainerRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JaxrsRequestTest {
  private final WeirRuntime weir = WeirRuntime.of(Weir.builder().build());

  @AfterEach
  void close() {
    weir.close();
  }

  private JaxrsRequest request(ContainerRequestContext context) {
    return new JaxrsRequest(
        context, any -> Optional.of(Peer.at("192.0.2.1")), SafeUserNames.PLAIN, RequestInfo::peer);
  }

  private static ContainerRequest get(String uri) {
    return new ContainerRequest(
        URI.create("http://localhost/"),
        URI.create("http://localhost/" + uri),
        "GET",
        null,
        new MapPropertiesDelegate(new HashMap<>()),
        null);
  }

  /** Behaves like an implementation that throws for malformed input. */
  private static <T> T garbled(Class<T> type, Function<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.apply(method.getName())));
  }

  private static Object refuse(String what) {
    throw new IllegalArgumentException("garbled " + what);
  }

  @Test
  void readsWhatJaxRsReads() {
    ContainerRequest context = get("search?q=a%20b&q=c&empty=");
    context.header("X-Api-Key", "one");
    context.header("x-api-key", "two");
    JaxrsRequest request = request(context);
    assertEquals("GET", request.method());
    assertEquals(Optional.of("a b"), request.query("q"));
    assertEquals(Optional.of(""), request.query("empty"));
    assertEquals(List.of("a b", "c"), request.queries("q"));
    assertEquals(List.of(), request.queries("Q"));
    assertEquals(Optional.empty(), request.query("Q"));
    assertEquals(List.of("one", "two"), request.headers("X-API-KEY"));
    assertEquals(List.of(), request.headers("Missing"));
    assertEquals(Optional.of("192.0.2.1"), request.peer());
    assertEquals(Optional.empty(), request.user());
    assertEquals(Optional.empty(), request.path("id"));
    assertEquals(Optional.empty(), request.cookie("sid"));
    assertEquals(Optional.empty(), request.parameter("any"));
  }

  @Test
  void readsEachCookieOfAName() {
    ContainerRequest context = get("");
    context.header("Cookie", "sid=1; amount=5; other=amount=7");
    assertEquals(List.of("5"), request(context).cookies("amount"));
    assertEquals(List.of(), request(context).cookies("Amount"));
    ContainerRequest twice = get("");
    twice.header("Cookie", "amount=5; sid=1;amount = 6");
    assertEquals(2, request(twice).cookies("amount").size());
  }

  @Test
  void aGivenPeerAddressGoesFirst() {
    PeerLookup container = any -> Optional.of(Peer.at("192.0.2.1"));
    try (WeirRuntime given =
            new DefaultWeirBuilder().peerAddress(any -> Optional.of("192.0.2.2")).build();
        WeirRuntime unknowing =
            new DefaultWeirBuilder().peerAddress(any -> Optional.empty()).build()) {
      assertEquals(Optional.of(Peer.at("192.0.2.2")), application(given, container).of(get("")));
      assertEquals(
          Optional.of(Peer.at("192.0.2.1")), application(unknowing, container).of(get("")));
    }
  }

  @Test
  void theLinesOfAHeaderFieldMayHaveBeenJoined() {
    ContainerRequest twice = get("");
    twice.getHeaders().addAll("X-Phone", "1", "1");
    twice.getHeaders().add("X-Other", "2,2");
    assertTrue(request(twice).isJoined("1,1"));
    assertFalse(request(twice).isJoined("2,2"));
    assertFalse(request(twice).isJoined("1"));
  }

  @Test
  void theApplicationNamesUsersAndTheirIssuers() {
    UserNames names =
        new UserNames() {
          @Override
          public Optional<String> name(Principal principal) {
            return Optional.of("user " + principal.getName());
          }

          @Override
          public Optional<String> issuer(Principal principal) {
            return Optional.of("issuer");
          }
        };
    ContainerRequest signedIn = get("");
    JaxrsRequest request =
        new JaxrsRequest(
            signedIn, any -> Optional.of(Peer.at("192.0.2.1")), names, RequestInfo::peer);
    assertEquals(Optional.empty(), request.issuer());
    signedIn.setSecurityContext(new SignedIn("ann"));
    assertEquals(Optional.of("user ann"), request.user());
    assertEquals(Optional.of("issuer"), request.issuer());
    request.keepUser();
    signedIn.setSecurityContext(new SignedIn("ben"));
    assertEquals(Optional.of("user ann"), request.user());
    assertEquals(Optional.of("issuer"), request.issuer());
  }

  /** A user who has signed in. */
  private record SignedIn(String name) implements SecurityContext {
    @Override
    public Principal getUserPrincipal() {
      return () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return BASIC_AUTH;
    }
  }

  @Test
  void thePeerIsAskedForOnlyWhenItIsNeededAndThenOnce() {
    AtomicInteger asked = new AtomicInteger();
    JaxrsRequest request =
        new JaxrsRequest(
            get(""),
            any -> Optional.of(Peer.at("192.0.2." + asked.incrementAndGet())),
            SafeUserNames.PLAIN,
            RequestInfo::peer);
    assertEquals(0, asked.get());
    assertEquals(Optional.of("192.0.2.1"), request.peer());
    assertEquals(Optional.of("192.0.2.1"), request.peer());
  }

  @Test
  void aGarbledNeighbourHidesNoQueryParameter() {
    URI uri = URI.create("http://localhost/?x=%ff&q=a%20b&bare");
    UriInfo info =
        garbled(UriInfo.class, name -> name.equals("getRequestUri") ? uri : refuse(name));
    JaxrsRequest request = request(garbled(ContainerRequestContext.class, name -> info));
    assertEquals(Optional.of("a b"), request.query("q"));
    assertEquals(Optional.of(""), request.query("bare"));
    assertEquals(Optional.empty(), request.query("missing"));
    assertEquals(Optional.empty(), request.path("id"));
  }

  /** As on RESTEasy, which shows an empty query after it has failed to read one. */
  @Test
  void aQueryThatCannotBeReadMakesTheRequestInvalid() {
    AtomicInteger asked = new AtomicInteger();
    UriInfo info =
        garbled(
            UriInfo.class,
            name ->
                name.equals("getQueryParameters") && asked.incrementAndGet() > 1
                    ? new MultivaluedHashMap<String, String>()
                    : refuse(name));
    JaxrsRequest request = request(garbled(ContainerRequestContext.class, name -> info));
    assertThrows(InvalidRequestException.class, () -> request.query("q"));
    assertThrows(InvalidRequestException.class, () -> request.query("q"));
    assertThrows(InvalidRequestException.class, () -> request.queries("q"));
  }

  @Test
  void whatIsGarbledIsNotThere() {
    JaxrsRequest request =
        request(garbled(ContainerRequestContext.class, JaxrsRequestTest::refuse));
    assertEquals(Optional.empty(), request.cookie("sid"));
    assertEquals(Optional.empty(), request.user());
    assertEquals(Optional.empty(), request.path("id"));
  }

  @Test
  void aPrincipalWithoutAUsableNameIsNobody() {
    Principal broken = garbled(Principal.class, JaxrsRequestTest::refuse);
    SecurityContext security = garbled(SecurityContext.class, name -> broken);
    assertEquals(
        Optional.empty(), request(garbled(ContainerRequestContext.class, name -> security)).user());
  }

  @Test
  void aServerThatCantTellThePeerStopsTheStartUpAndNamesTheSeam() {
    try (WeirRuntime weir = new DefaultWeirBuilder().build();
        WeirRuntime given = new DefaultWeirBuilder().peerAddress(any -> Optional.empty()).build()) {
      IllegalStateException thrown =
          assertThrows(IllegalStateException.class, () -> application(weir).requirePeer());
      assertTrue(String.valueOf(thrown.getMessage()).contains("io.weir.spi.PeerAddress"));
      application(weir, any -> Optional.empty()).requirePeer();
      application(given).requirePeer();
    }
  }

  private static JaxrsApplication application(WeirRuntime weir, PeerLookup... containers) {
    return new JaxrsApplication(
        System.getLogger(JaxrsRequestTest.class.getName()),
        List.of(containers),
        Optional.empty(),
        Weir.adapter(AdapterOptions.defaults().withWeir(weir)),
        false);
  }
}
