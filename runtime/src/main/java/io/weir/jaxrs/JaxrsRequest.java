package io.weir.jaxrs;

import io.weir.InvalidRequestException;
import io.weir.adapter.BodyReader;
import io.weir.adapter.BodySource;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.Peer;
import io.weir.internal.container.PeerLookup;
import io.weir.internal.container.RawUri;
import io.weir.spi.RequestInfo;
import io.weir.spi.UserNames;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.SecurityContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JAX-RS request for policies. Malformed input counts as missing; only a query that the
 * implementation can't read at all makes the request invalid, since any key could hide in it.
 *
 * <p>Confine to one thread.
 */
final class JaxrsRequest implements BodySource {
  private final ContainerRequestContext context;
  private final PeerLookup peers;
  private final UserNames names;
  private final Function<RequestInfo, Optional<String>> addresses;
  private Optional<Peer> peer = Optional.empty();

  /** The user, read before the container could reuse its request object; see keepCaller. */
  private Optional<String> lastUser = Optional.empty();

  private Optional<String> lastIssuer = Optional.empty();

  private boolean isCallerKept;

  /** Whether reading the query has failed; RESTEasy shows an empty one from then on. */
  private boolean garbled;

  private Optional<ResourceTemplate> endpoint = Optional.empty();

  /** Null until the body was read for policies. */
  private @Nullable ReadBody body;

  /** The path, before a resource method is known. */
  private String path = "";

  JaxrsRequest(
      ContainerRequestContext context,
      PeerLookup peers,
      UserNames names,
      Function<RequestInfo, Optional<String>> addresses) {
    this.context = context;
    this.peers = peers;
    this.names = names;
    this.addresses = addresses;
  }

  @Override
  public String method() {
    return context.getMethod();
  }

  void setResource(ResourceTemplate resource) {
    endpoint = Optional.of(resource);
  }

  /** Sets the path, which is the endpoint until a resource method is known. */
  void setPath(String known) {
    path = known;
  }

  @Override
  public String endpoint() {
    return endpoint.map(ResourceTemplate::text).orElse(path);
  }

  /** A template names the method that answers; a path may be sent so that it means another one. */
  @Override
  public boolean mayBeLeftOut() {
    return RequestValues.read(
            () -> {
              URI sent = context.getUriInfo().getRequestUri();
              return (endpoint.isPresent() || sent.getRawPath().endsWith(path))
                  && RequestValues.mayBeLeftOut(context.getHeaders().keySet(), sent.getRawQuery());
            })
        .orElse(false);
  }

  @Override
  public boolean hasTemplate() {
    return endpoint.isPresent();
  }

  @Override
  public String mapping() {
    return endpoint();
  }

  /** Some implementations report HEAD, others GET, if a method for GET answers a HEAD. */
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
    List<String> lines = received(name).orElseGet(() -> context.getHeaders().get(name));
    return lines == null ? List.of() : RequestValues.trim(lines);
  }

  /** Finds what a filter of the servlet container hides, but may come from a trusted proxy. */
  private Optional<List<String>> received(String name) {
    return Peer.isReportedIn(name) ? find().flatMap(each -> each.received(name)) : Optional.empty();
  }

  @Override
  public Optional<String> query(String name) {
    List<String> values = queries(name);
    return values.isEmpty() ? Optional.empty() : Optional.ofNullable(values.get(0));
  }

  @Override
  public List<String> queries(String name) {
    if (!garbled) {
      try {
        List<String> values = context.getUriInfo().getQueryParameters().get(name);
        return values == null ? List.of() : values;
      } catch (RuntimeException malformed) {
        // One malformed escape breaks the whole map; a caller could hide other parameters with it.
        garbled = true;
      }
    }
    return RawUri.findAll(rawQuery(), name);
  }

  private String rawQuery() {
    try {
      return Optional.ofNullable(context.getUriInfo().getRequestUri().getRawQuery()).orElse("");
    } catch (RuntimeException unreadable) { // RESTEasy's servers pass on what is no URI
      throw new InvalidRequestException("The query can't be read, since it is malformed.");
    }
  }

  @Override
  public CompletionStage<ReadBody> readBody(BodyReader reader) throws IOException {
    ReadBody read = read(reader);
    body = read;
    return CompletableFuture.completedFuture(read);
  }

  private ReadBody read(BodyReader reader) throws IOException {
    ReadBody read = reader.read(context::getEntityStream, Optional.empty());
    byte[] bytes = read.bytes();
    if (read.isWhole() && bytes.length == 0 && announcesBody()) {
      return reader.taken();
    }
    if (bytes.length > 0) {
      InputStream again = new ByteArrayInputStream(bytes);
      context.setEntityStream(
          read.isWhole() ? again : new SequenceInputStream(again, context.getEntityStream()));
    }
    return read;
  }

  private boolean announcesBody() {
    List<String> length = headers("Content-Length");
    return length.isEmpty() ? !headers("Transfer-Encoding").isEmpty() : !length.get(0).equals("0");
  }

  @Override
  public Optional<ReadBody> content() {
    return Optional.ofNullable(body);
  }

  @Override
  public Optional<String> path(String name) {
    return RequestValues.read(() -> context.getUriInfo().getPathParameters().getFirst(name));
  }

  @Override
  public Optional<String> cookie(String name) {
    Optional<Map<String, Cookie>> cookies = RequestValues.read(context::getCookies);
    return cookies.map(all -> all.get(name)).map(Cookie::getValue);
  }

  /** Reads the header if it has several cookies of the name: the map holds only one of each. */
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

  /**
   * Reads the caller's data from the container now: once this request is answered, the container
   * may reuse its request object for another caller.
   */
  void keepCaller() {
    var unusedPeer = peer();
    noteUser();
    isCallerKept = true;
  }

  /**
   * Reads the user in this thread, for a decision and a response that others go on with: not every
   * implementation shows them the user.
   */
  void keepUser() {
    noteUser();
    isCallerKept = true;
  }

  /**
   * Notes the user that request filters have signed in, for threads in which the implementation
   * shows none.
   */
  void noteUser() {
    Optional<String> issuer = issuer();
    lastUser = user();
    lastIssuer = issuer;
  }

  /** Reads the user of the request again from now on, since later filters may sign one in. */
  void releaseUser() {
    isCallerKept = false;
  }

  @Override
  public Optional<String> user() {
    if (isCallerKept) {
      return lastUser;
    }
    return principal().flatMap(names::name).or(() -> lastUser);
  }

  @Override
  public Optional<String> issuer() {
    if (isCallerKept) {
      return lastIssuer;
    }
    Optional<Principal> principal = principal();
    return principal.isPresent() ? principal.flatMap(names::issuer) : lastIssuer;
  }

  private Optional<Principal> principal() {
    Optional<SecurityContext> security = RequestValues.read(context::getSecurityContext);
    return security.flatMap(each -> RequestValues.read(each::getUserPrincipal));
  }

  /** Compares the lines of header fields, which {@code getHeaderString} joins. */
  @Override
  public boolean isJoined(String text) {
    return text.indexOf(',') >= 0
        && RequestValues.read(context::getHeaders).stream()
            .flatMap(headers -> headers.values().stream())
            .anyMatch(lines -> lines.size() > 1 && String.join(",", lines).equals(text));
  }

  /** Looked up once, on first use: the lookup is costly in most containers. */
  private Optional<Peer> find() {
    if (peer.isEmpty()) {
      peer = peers.of(context);
    }
    return peer;
  }

  @Override
  public Optional<String> peer() {
    return find().map(Peer::address);
  }

  @Override
  public Optional<String> address() {
    return addresses.apply(this);
  }
}
