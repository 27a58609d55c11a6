package io.weir.servlet;

import io.weir.adapter.LimitedRequest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * A filter that a request passes, with all that is known of the request there, linked to the pass
 * before it. One object for each filter, since nearly every request has one.
 *
 * <p>Immutable but for its binding, which is confined to the thread of the filter.
 */
final class FilterPass {
  private final Object filter;
  private final DispatcherType type;
  private final DispatchTarget target;
  private final ServletEndpoints.Endpoint endpoint;
  private final HttpServletRequest request;
  private final @Nullable HttpServletResponse response;

  /** Where the request is back when the filter returns; null for its start. */
  private final @Nullable FilterPass from;

  /** Whether the same dispatch has passed the filter before it. */
  private final boolean continues;

  private final boolean included;
  private final boolean error;
  private LimitedRequest.@Nullable Binding binding;

  private FilterPass(
      Object filter,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint,
      HttpServletRequest request,
      @Nullable HttpServletResponse response,
      @Nullable FilterPass from,
      DispatcherType type,
      boolean continues,
      boolean included,
      boolean error) {
    this.filter = filter;
    this.type = type;
    this.target = target;
    this.endpoint = endpoint;
    this.request = request;
    this.response = response;
    this.from = from;
    this.continues = continues;
    this.included = included;
    this.error = error;
  }

  /**
   * Passes the first filter of a request.
   *
   * @param filter identifies the filter
   * @param included whether an include writes only a part of the response there
   */
  static FilterPass first(
      Object filter,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint,
      HttpServletRequest request,
      HttpServletResponse response,
      boolean included) {
    return new FilterPass(
        filter,
        target,
        endpoint,
        request,
        included ? null : response,
        null,
        request.getDispatcherType(),
        true,
        included,
        false);
  }

  /** Returns the start of the request whose first filter this is: no filter was passed there. */
  FilterPass start() {
    return new FilterPass(
        FilterPass.class, target, endpoint, request, null, null, type, false, false, false);
  }

  /**
   * Passes the next filter: another one of the same dispatch, or the first of a new one. Each
   * filter is passed once on a dispatch, and only a dispatch leads to another servlet.
   */
  FilterPass next(
      Object nextFilter,
      DispatchTarget nextTarget,
      ServletEndpoints.Endpoint nextEndpoint,
      HttpServletRequest nextRequest,
      HttpServletResponse nextResponse,
      boolean isIncluded) {
    DispatcherType nextType = nextRequest.getDispatcherType();
    boolean same =
        nextType == type
            && (nextType == DispatcherType.REQUEST
                || target.servlet().equals(nextTarget.servlet()) && !includes(nextFilter));
    return new FilterPass(
        nextFilter,
        nextTarget,
        nextEndpoint,
        nextRequest,
        isIncluded ? response : nextResponse,
        this,
        nextType,
        same,
        isIncluded,
        error);
  }

  /** Arrives at an error page, whose dispatch passes no filter before it. */
  FilterPass errorPage(
      DispatchTarget page, HttpServletRequest pageRequest, HttpServletResponse pageResponse) {
    return new FilterPass(
        FilterPass.class,
        page,
        endpoint,
        pageRequest,
        pageResponse,
        this,
        pageRequest.getDispatcherType(),
        false,
        false,
        true);
  }

  private boolean includes(Object other) {
    FilterPass each = this;
    while (each != null) {
      if (each.filter.equals(other)) {
        return true;
      }
      each = each.continues ? each.from : null;
    }
    return false;
  }

  /** Returns whether it is the first filter of a dispatch that other code has begun. */
  boolean isFirstOfDispatch() {
    return !continues;
  }

  DispatchTarget target() {
    return target;
  }

  ServletEndpoints.Endpoint endpoint() {
    return endpoint;
  }

  HttpServletRequest request() {
    return request;
  }

  /** Returns a response whose status can be set; null within an include that came first. */
  @Nullable HttpServletResponse response() {
    return response;
  }

  /** Returns the pass before it; null if it is the first. */
  @Nullable FilterPass from() {
    return from;
  }

  /** Returns whether an include writes only a part of the response there. */
  boolean isIncluded() {
    return included;
  }

  /** Returns whether it is an error page, or was dispatched to by one. */
  boolean isError() {
    return error;
  }

  /** Binds the request to the thread of the filter until it returns. */
  void bind(LimitedRequest limited) {
    binding = limited.bind(endpoint.method().orElse(null));
  }

  /** Unbinds the request, if it was bound here. */
  void unbind() {
    if (binding != null) {
      binding.close();
    }
  }
}
