package io.weir.jaxrs;

import io.weir.internal.container.PeerLookup;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.guard.GuardedRequestHolder;
import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.http.UntrustedInput;
import io.weir.internal.key.HeaderValues;
import io.weir.spi.RequestInfo;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.SecurityContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request as JAX-RS presents it.
 *
 * <p>Malformed input is treated as missing; reading never throws.
 *
 * <p>Confine to one thread.
 */
final class JaxrsRequest implements RequestInfo, GuardedRequestHolder {
  private final ContainerRequestContext context;
  private final PeerLookup peers;
  private final WeirRuntime weir;
  private Optional<GuardedRequest> guarded = Optional.empty();
  private boolean atEndpoint;
  private Optional<String> peer = Optional.empty();

  /** The user as it was while the container's request was still this one's; see keepCaller. */
  private Optional<String> lastUser = Optional.empty();

  private boolean isCallerKept;
  private Optional<ResourceTemplate> endpoint = Optional.empty();

  JaxrsRequest(ContainerRequestContext context, PeerLookup peers, WeirRuntime weir) {
    this.context = context;
    this.peers = peers;
    this.weir = weir;
  }

  /** Leads this request to the endpoint that answers it. */
  GuardedRequest enter(GuardedEndpoint endpoint) {
    if (!atEndpoint) {
      atEndpoint = true;
      if (guarded.isPresent()) {
        guarded.get().moveTo(endpoint, this);
      } else {
        guarded = Optional.of(endpoint.enter(this, begun()));
      }
    }
    return guarded.orElseThrow();
  }

  /** As it was decided so far, if it met anything that decides. */
  Optional<GuardedRequest> entered() {
    return guarded;
  }

  /** For a call on the way, perhaps of a request that met no policy yet. */
  @Override
  public GuardedRequest guarded() {
    if (guarded.isEmpty()) {
      guarded = Optional.of(weir.unlimited().begun(this, begun()));
    }
    return guarded.get();
  }

  /** What a filter for servlets has left, which has decided by the path perhaps. */
  private @Nullable Object begun() {
    return context.getProperty(GuardedRequest.ATTRIBUTE);
  }

  /** Whether a filter for servlets may have decided before this request came to JAX-RS. */
  boolean isBegunElsewhere() {
    return begun() != null;
  }

  @Override
  public String method() {
    return context.getMethod();
  }

  /** The resource method is known. */
  void answeredBy(ResourceTemplate resource) {
    endpoint = Optional.of(resource);
  }

  @Override
  public String endpoint() {
    return endpoint.map(ResourceTemplate::text).orElse("");
  }

  @Override
  public boolean hasTemplate() {
    return endpoint.isPresent();
  }

  @Override
  public String mapping() {
    return endpoint();
  }

  /** Some implementations call it HEAD though a method for GET answers, others GET. */
  @Override
  public String answeredMethod() {
    String method = method();
    return method.equals("HEAD")
            && endpoint.filter(each -> ResourceMethods.answersHead(each.method())).isEmpty()
        ? "GET"
        : method;
  }

  @Override
  public List<String> headers(String name) {
    List<String> lines = context.getHeaders().get(name);
    return lines == null ? List.of() : HeaderValues.values(lines);
  }

  @Override
  public Optional<String> query(String name) {
    try {
      return Optional.ofNullable(context.getUriInfo().getQueryParameters().getFirst(name));
    } catch (RuntimeException garbled) {
      // One bad escape spoils the whole map, and so could be used to hide what another one says.
      return rawQuery(name).findFirst();
    }
  }

  @Override
  public List<String> queries(String name) {
    try {
      List<String> values = context.getUriInfo().getQueryParameters().get(name);
      return values == null ? List.of() : values;
    } catch (RuntimeException garbled) {
      return rawQuery(name).toList();
    }
  }

  private Stream<String> rawQuery(String name) {
    String query =
        Optional.ofNullable(context.getUriInfo().getRequestUri().getRawQuery()).orElse("");
    return Stream.of(query.split("&"))
        .map(pair -> pair.split("=", 2))
        .filter(pair -> decoded(pair[0]).equals(name))
        .map(pair -> pair.length == 1 ? "" : decoded(pair[1]));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException garbled) {
      return text;
    }
  }

  @Override
  public Optional<String> path(String name) {
    return UntrustedInput.read(() -> context.getUriInfo().getPathParameters().getFirst(name));
  }

  @Override
  public Optional<String> cookie(String name) {
    Optional<Map<String, Cookie>> cookies = UntrustedInput.read(context::getCookies);
    return cookies.map(all -> all.get(name)).map(Cookie::getValue);
  }

  /** The map of cookies has only one of each name, so the header tells whether there are more. */
  @Override
  public List<String> cookies(String name) {
    List<String> values =
        headers("Cookie").stream()
            .flatMap(line -> Stream.of(line.split("[;,]")))
            .map(pair -> pair.split("=", 2))
            .filter(pair -> pair.length == 2 && pair[0].strip().equals(name))
            .map(pair -> pair[1].strip())
            .toList();
    return values.size() > 1 ? values : cookie(name).stream().toList();
  }

  @Override
  public Optional<String> parameter(String name) {
    return Optional.empty();
  }

  /**
   * Reads what else would be asked of the container, whose request may serve another caller once
   * this one has its answer.
   */
  void keepCaller() {
    var unusedPeer = peer();
    var unusedGuarded = guarded();
    lastUser = user();
    isCallerKept = true;
  }

  @Override
  public Optional<String> user() {
    if (isCallerKept) {
      return lastUser;
    }
    Optional<SecurityContext> security = UntrustedInput.read(context::getSecurityContext);
    return security
        .flatMap(each -> UntrustedInput.read(each::getUserPrincipal))
        .flatMap(each -> UntrustedInput.read(each::getName));
  }

  /** Looked up once, when it is first needed: it is costly in most containers. */
  @Override
  public Optional<String> peer() {
    if (peer.isEmpty()) {
      peer = peers.of(context);
    }
    return peer;
  }
}
