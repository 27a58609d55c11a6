package io.weir.jaxrs;

import io.weir.adapter.HeaderField;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.LimitedRequest.Binding;
import io.weir.internal.container.EndListener;
import io.weir.internal.container.JaxrsImplementation;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Binds each matched request to its thread, limited or not, so that a pooled thread never keeps the
 * identity of an earlier caller. Writes the header fields of its decisions, and completes it if no
 * {@link BodyInterceptor} will.
 *
 * <p>Safe for concurrent use.
 */
final class RequestScopeFilter
    implements ContainerRequestFilter, ContainerResponseFilter, EndListener {
  /**
   * Runs before all other request filters except those that read the peer, after all other response
   * filters, and around all other interceptors. Positive, since Jersey ignores negative priorities.
   */
  static final int OUTERMOST = 10;

  private static final List<HeaderField> CLOSE = List.of(new HeaderField("Connection", "close"));

  private final JaxrsApplication application;

  RequestScopeFilter(JaxrsApplication application) {
    this.application = application;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    application.requested();
    if (UrlPolicyFilter.refuses(context, application)) {
      return;
    }
    RequestScope scope = RequestScope.begin(context, application);
    Optional<JaxrsImplementation> implementation = application.implementation();
    if (implementation.isEmpty()) {
      scope.countInFlight(); // Jersey reports every end
      Binding unused = scope.enter();
    } else if (implementation.get().watch(scope)) {
      if (implementation.get().reportsEachEnd()) {
        scope.countInFlight();
      }
    } else {
      ArrivalFilter.note(scope.enter());
    }
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getEntity() instanceof ProblemEntity
        && mayHaveBody(request)
        && application.closesUnannounced(request)) {
      put(CLOSE, response);
    }
    Optional<RequestScope> begun = RequestScope.of(request);
    if (begun.isEmpty()) {
      return;
    }
    RequestScope scope = begun.get();
    writeFields(scope.limited(), response);
    if (!scope.isWatched()) {
      // Not every implementation runs the writer for a response to HEAD.
      boolean writes = application.interceptsBodies() && response.hasEntity() && !isHead(request);
      scope.responds(response.getStatus(), writes);
      if (!writes) {
        scope.endResponse();
      }
    }
  }

  /**
   * Writes the fields of all decisions of the request, also of woven methods at an endpoint without
   * limits. The last filter, so no other one changes the response any more.
   */
  private static void writeFields(LimitedRequest limited, ContainerResponseContext response) {
    if (response.getEntity() instanceof ProblemEntity refused) {
      ProblemEntity complete = refused.within(limited);
      limited.answered(complete.refusal());
      if (complete != refused) {
        response.setEntity(complete);
        put(complete.refusal().headers(), response);
      }
    } else {
      put(limited.headers(), response);
    }
  }

  private static void put(List<HeaderField> fields, ContainerResponseContext response) {
    if (fields.isEmpty()) {
      return;
    }
    MultivaluedMap<String, Object> headers = response.getHeaders();
    for (int i = 0; i < fields.size(); i++) { // no iterator for each request
      HeaderField field = fields.get(i);
      headers.put(field.name(), listOf(field.value()));
    }
  }

  /** Makes a list of one value: Jersey's putSingle() would make a larger one. */
  private static List<Object> listOf(String value) {
    List<Object> values = new ArrayList<>(1);
    values.add(value);
    return values;
  }

  /** Asks nobody else about a request without a body: under an attack most are refused. */
  private static boolean mayHaveBody(ContainerRequestContext request) {
    return request.getLength() > 0 || request.getHeaderString("Transfer-Encoding") != null;
  }

  private static boolean isHead(ContainerRequestContext request) {
    return request.getMethod().equals(HttpMethod.HEAD);
  }

  @Override
  public void ended() {
    application.ended();
  }
}
