package io.weir.servlet;

import io.weir.adapter.Adapter;
import io.weir.adapter.RequestValues;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the request object that the latest filter got. */
final class FilteredRequestInfo extends ServletRequestInfo {
  private volatile FilterPass at;

  FilteredRequestInfo(Adapter adapter, FilterPass at) {
    super(adapter);
    this.at = at;
  }

  @Override
  protected HttpServletRequest request() {
    return at.request();
  }

  /** Returns the path as it was read before the container could dispatch the request object. */
  @Override
  protected String path() {
    return at.target().path();
  }

  /** Reads the request as a filter sees it from now on. */
  @SuppressWarnings("ReferenceEquality") // only another pass is worth a volatile write
  void readAt(FilterPass filter) {
    if (at != filter) {
      at = filter;
    }
  }

  @Override
  public String endpoint() {
    return path();
  }

  @Override
  public String mapping() {
    return at.target().mapping();
  }

  @Override
  public String answeredMethod() {
    String method = method();
    return method.equals("HEAD") && !at.endpoint().answersHead() ? "GET" : method;
  }

  @Override
  public Optional<String> user() {
    HttpServletRequest request = request();
    Principal principal = principal(request);
    return principal != null
        ? adapter().userNames().name(principal)
        : RequestValues.read(request::getRemoteUser);
  }

  @Override
  public Optional<String> issuer() {
    Principal principal = principal(request());
    return principal == null ? Optional.empty() : adapter().userNames().issuer(principal);
  }

  /** Returns null if it is missing or can't be read. No lambdas: rules read it for each request. */
  private static @Nullable Principal principal(HttpServletRequest request) {
    try {
      return request.getUserPrincipal();
    } catch (RuntimeException | LinkageError unreadable) {
      return null;
    }
  }
}
