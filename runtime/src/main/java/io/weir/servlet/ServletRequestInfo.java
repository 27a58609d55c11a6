package io.weir.servlet;

import io.weir.adapter.Adapter;
import io.weir.adapter.BodyReader;
import io.weir.adapter.BodySource;
import io.weir.adapter.ReadBody;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.RawUri;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a servlet request for policies, for adapters of frameworks that run on servlets. Filters
 * before the adapter, such as a sign-in, may have wrapped the original request, and count; but the
 * peer is the container's, and {@code query} reads parameters of the query as it was sent. Fields
 * of the body are read only for policies that ask for them; see {@link #unread}.
 *
 * <p>Safe for concurrent use, as far as the request is.
 */
public abstract class ServletRequestInfo implements BodySource {
  private final Adapter adapter;

  /** Null until the body was read for policies. */
  private volatile @Nullable ReadBody body;

  /**
   * Reads requests of one application.
   *
   * @param adapter the application's
   */
  protected ServletRequestInfo(Adapter adapter) {
    this.adapter = adapter;
  }

  /**
   * Returns the adapter.
   *
   * @return the one given
   */
  protected final Adapter adapter() {
    return adapter;
  }

  /**
   * Returns the request that is read.
   *
   * @return the request as the latest filter or handler gets it
   */
  protected abstract HttpServletRequest request();

  /**
   * Returns the path by which an exception in the settings may leave the request out.
   *
   * @return by default that of the {@linkplain #request() request}
   */
  protected String path() {
    return path(request());
  }

  /**
   * Reads the decoded path of a request within the application, as the container matched it.
   *
   * @param request a request or dispatch
   * @return that of the target, if it is an include
   */
  public static String path(HttpServletRequest request) {
    return path(request, ServletRequestInfo::undecodedPath);
  }

  /**
   * Reads the decoded path of a request within the application, for a framework with a way of its
   * own to read paths that the container doesn't decode: Jetty may let ambiguous URIs pass.
   *
   * @param request a request or dispatch
   * @param otherwise reads the path of a request that the container doesn't decode
   * @return that of the target, if it is an include
   */
  protected static String path(
      HttpServletRequest request, Function<HttpServletRequest, String> otherwise) {
    if (request.getDispatcherType() == DispatcherType.INCLUDE
        && request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH) instanceof String path) {
      return join(path, (String) request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO));
    }
    String decoded = decodedPath(request);
    return decoded != null ? decoded : otherwise.apply(request);
  }

  /** Returns null if the container can't decode it. No lambda: it is read for each request. */
  private static @Nullable String decodedPath(HttpServletRequest request) {
    try {
      return join(request.getServletPath(), request.getPathInfo());
    } catch (RuntimeException | LinkageError malformed) {
      return null;
    }
  }

  /** Copies neither part if the other one is missing. */
  private static String join(@Nullable String servletPath, @Nullable String pathInfo) {
    if (pathInfo == null || pathInfo.isEmpty()) {
      return servletPath == null ? "" : servletPath;
    }
    return servletPath == null ? pathInfo : servletPath + pathInfo;
  }

  private static String undecodedPath(HttpServletRequest request) {
    return RequestValues.read(() -> matchedPath(request))
        .orElseGet(() -> RawUri.path(request.getRequestURI()));
  }

  /** Rebuilds the path from the match. */
  private static @Nullable String matchedPath(HttpServletRequest request) {
    HttpServletMapping mapping = request.getHttpServletMapping();
    String pattern = mapping.getPattern();
    String value = mapping.getMatchValue();
    return switch (mapping.getMappingMatch()) {
      case EXACT -> "/" + value;
      case PATH -> pattern.substring(0, pattern.length() - 1) + value;
      case EXTENSION -> "/" + value + pattern.substring(1);
      case CONTEXT_ROOT, DEFAULT ->
          RawUri.pathWithin(request.getServletContext().getContextPath(), request.getRequestURI());
    };
  }

  @Override
  public boolean mayBeLeftOut() {
    return ExceptedRequests.contain(request(), path());
  }

  @Override
  public String method() {
    return request().getMethod();
  }

  @Override
  public List<String> headers(String name) {
    return ServletPeer.headers(request(), name);
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.ofNullable(request().getQueryString())
        .flatMap(query -> RawUri.find(query, name));
  }

  @Override
  public List<String> queries(String name) {
    @Nullable String query = request().getQueryString();
    return query == null ? List.of() : RawUri.findAll(query, name);
  }

  @Override
  public CompletionStage<ReadBody> readBody(BodyReader reader) throws IOException {
    HttpServletRequest request = request();
    ReadBody read =
        wasPassedOn() ? ServletBody.readPassed(request, reader) : ServletBody.read(request, reader);
    body = read;
    return CompletableFuture.completedFuture(read);
  }

  /**
   * Returns whether code behind the adapter has got the request already. Its body can then be read
   * for policies only if {@link #unreadLater} has prepared it, or if it is a form.
   *
   * @return false by default: the adapter passes on what {@link #unread} returns
   */
  protected boolean wasPassedOn() {
    return false;
  }

  /**
   * Does as {@link #unread} for a request that is passed on before some of its policies, which may
   * read its body, are decided.
   *
   * @param passed the request that is passed on
   * @return the same request if no policy of the application reads bodies
   */
  public final HttpServletRequest unreadLater(HttpServletRequest passed) {
    if (!adapter.readsBodies()) {
      return passed;
    }
    ReadBody known = body;
    return known == null || known.isInStream() ? ReplayedRequest.unread(passed) : unread(passed);
  }

  /**
   * Shows the body to whoever gets the request next as if nobody had read it for policies.
   *
   * @param passed the request that is passed on
   * @return the same request if its body wasn't read, or shows it already
   */
  public final HttpServletRequest unread(HttpServletRequest passed) {
    ReadBody read = body;
    return read == null ? passed : ReplayedRequest.of(passed, read);
  }

  @Override
  public Optional<ReadBody> content() {
    return Optional.ofNullable(body);
  }

  @Override
  public Optional<String> cookie(String name) {
    return values(name).findFirst();
  }

  @Override
  public List<String> cookies(String name) {
    return values(name).toList();
  }

  private Stream<String> values(String cookieName) {
    return RequestValues.read(request()::getCookies).stream()
        .flatMap(Arrays::stream)
        .filter(cookie -> cookie.getName().equals(cookieName))
        .map(Cookie::getValue);
  }

  @Override
  public Optional<String> peer() {
    return ServletPeer.address(request(), adapter);
  }

  @Override
  public Optional<String> address() {
    return adapter.address(this);
  }
}
