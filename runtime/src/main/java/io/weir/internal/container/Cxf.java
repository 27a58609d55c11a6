package io.weir.internal.container;

import io.weir.internal.extension.ClassPresence;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.CompletionCallback;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.cxf.continuations.SuspendedInvocationException;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.endpoint.ServerRegistry;
import org.apache.cxf.interceptor.InterceptorChain;
import org.apache.cxf.jaxrs.impl.MetadataMap;
import org.apache.cxf.jaxrs.model.ClassResourceInfo;
import org.apache.cxf.jaxrs.model.OperationResourceInfo;
import org.apache.cxf.jaxrs.model.ProviderInfo;
import org.apache.cxf.jaxrs.provider.ServerProviderFactory;
import org.apache.cxf.jaxrs.utils.HttpUtils;
import org.apache.cxf.jaxrs.utils.JAXRSUtils;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.service.invoker.Invoker;
import org.apache.cxf.transport.ChainInitiationObserver;
import org.apache.cxf.transport.Destination;
import org.apache.cxf.transport.MessageObserver;
import org.jspecify.annotations.Nullable;

/**
 * Apache CXF, which knows the message that a thread works on, and passes an exception that nothing
 * maps to an observer of faults. All the work on a request is begun by an observer of messages, so
 * that one around it sees each end. Loaded only if CXF runs the application.
 *
 * <p>Safe for concurrent use.
 */
final class Cxf implements JaxrsImplementation {
  /** A class of CXF that this one needs; a constant, which may be read without CXF. */
  static final String MARKER = "org.apache.cxf.phase.PhaseInterceptorChain";

  private volatile Optional<ServerRegistry> servers = Optional.empty();

  /** Other servers on the bus may have addresses below that of the servlet, and no feature. */
  @Override
  public boolean isAloneInServlet() {
    if (servers.isEmpty()) {
      servers =
          Optional.ofNullable(PhaseInterceptorChain.getCurrentMessage())
              .map(each -> each.getExchange().getBus().getExtension(ServerRegistry.class));
    }
    return servers.filter(each -> each.getServers().size() == 1).isPresent();
  }

  @Override
  public boolean mayReachResource(ContainerRequestContext context) {
    @Nullable Message message = PhaseInterceptorChain.getCurrentMessage();
    if (message == null) {
      return true;
    }
    @Nullable Map<ClassResourceInfo, MultivaluedMap<String, String>> matched =
        JAXRSUtils.selectResourceClass(
            JAXRSUtils.getRootResources(message), HttpUtils.getPathToMatch(message, true), message);
    return matched != null
        && JAXRSUtils.findTargetMethod(
                matched,
                message,
                HttpMethod.OPTIONS,
                new MetadataMap<>(),
                MediaType.WILDCARD,
                List.of(MediaType.WILDCARD_TYPE),
                false,
                false)
            != null;
  }

  @Override
  public boolean bindsSubResources() {
    return false;
  }

  @Override
  public Optional<List<ContainerRequestFilter>> requestFilters(ContainerRequestContext context) {
    return Optional.ofNullable(PhaseInterceptorChain.getCurrentMessage())
        .map(Message::getExchange)
        .map(each -> each.get(OperationResourceInfo.class))
        .map(OperationResourceInfo::getNameBindings)
        .flatMap(names -> filters(each -> each.getPostMatchContainerRequestFilters(names)));
  }

  @Override
  public Optional<List<ContainerRequestFilter>> filtersBeforeMatching(
      ContainerRequestContext context) {
    return filters(ServerProviderFactory::getPreMatchContainerRequestFilters);
  }

  private static Optional<List<ContainerRequestFilter>> filters(
      Function<ServerProviderFactory, List<ProviderInfo<ContainerRequestFilter>>> kind) {
    return Optional.ofNullable(PhaseInterceptorChain.getCurrentMessage())
        .map(each -> kind.apply(ServerProviderFactory.getInstance(each)))
        .map(all -> all.stream().map(ProviderInfo::getProvider).toList());
  }

  @Override
  public boolean watch(WatchedRequest request) {
    @Nullable Message message = PhaseInterceptorChain.getCurrentMessage();
    if (message == null) {
      return false;
    }
    request.bindHere();
    message.getExchange().put(WatchedRequest.class, request);
    observeFaults(message, request);
    return true;
  }

  /** Asked within a request, whose server may share its address with others. */
  @Override
  public boolean reportsEachEnd() {
    @Nullable Message message = PhaseInterceptorChain.getCurrentMessage();
    return message != null && message.get(EndObserver.class) != null;
  }

  /** Completes the request before the fault is handled, which may answer the caller. */
  private static void observeFaults(Message message, WatchedRequest request) {
    @Nullable InterceptorChain chain = message.getInterceptorChain();
    if (chain == null) {
      return;
    }
    @Nullable MessageObserver usual = chain.getFaultObserver();
    chain.setFaultObserver(
        fault -> {
          request.unanswered(fields(message));
          if (usual != null) {
            usual.onMessage(fault);
          }
        });
  }

  /**
   * Finds the request that CXF serves in the current thread; empty outside of a servlet container.
   */
  static Optional<Object> request() {
    return Optional.ofNullable(PhaseInterceptorChain.getCurrentMessage())
        .map(each -> each.get("HTTP.REQUEST"));
  }

  private static BiConsumer<String, String> fields(Message message) {
    @Nullable Object response = message.get("HTTP.RESPONSE");
    return response != null && ClassPresence.isPresent(ClassPresence.SERVLET)
        ? ServletFields.of(response)
        : (name, value) -> {};
  }

  /** Loaded only if the servlet API is on the class path. */
  private static final class ServletFields {
    private ServletFields() {}

    static BiConsumer<String, String> of(Object response) {
      return response instanceof HttpServletResponse http && !http.isCommitted()
          ? http::setHeader
          : (name, value) -> {};
    }
  }

  /** Binds requests to the threads that run their methods, and that take the results of those. */
  record BindingInvoker(Invoker usual) implements Invoker {
    @Override
    public @Nullable Object invoke(Exchange exchange, Object parameters) {
      @Nullable WatchedRequest request = exchange.get(WatchedRequest.class);
      if (request == null) {
        return usual.invoke(exchange, parameters);
      }
      request.bindHere();
      try {
        return usual.invoke(exchange, parameters);
      } finally {
        if (isSuspended(exchange)) { // else the response or the fault comes in this thread
          request.leave();
          endWithConnection(exchange, request);
        }
      }
    }

    /** Ends a request that is never resumed, since its caller has hung up. */
    private static void endWithConnection(Exchange exchange, WatchedRequest request) {
      @Nullable AsyncResponse response = exchange.getInMessage().get(AsyncResponse.class);
      if (response != null) {
        CompletionCallback ends = failure -> request.unanswered((name, value) -> {});
        var unused = response.register(ends);
      }
    }

    private static boolean isSuspended(Exchange exchange) {
      return exchange.getInMessage().getInterceptorChain().getState()
          == InterceptorChain.State.SUSPENDED;
    }
  }

  /**
   * Ends each request when CXF has done all its work on it, whatever has become of its response. A
   * request that is suspended begins again here when it is resumed.
   */
  static final class EndObserver extends ChainInitiationObserver {
    private final MessageObserver usual;

    private EndObserver(Endpoint endpoint, MessageObserver usual) {
      super(endpoint, null); // the usual one knows the bus
      this.usual = usual;
    }

    /** Observes the requests of a server, unless its address is shared with other kinds. */
    static void observe(Server server) {
      Destination destination = server.getDestination();
      @Nullable MessageObserver usual = destination.getMessageObserver();
      if (usual instanceof ChainInitiationObserver && !(usual instanceof EndObserver)) {
        destination.setMessageObserver(new EndObserver(server.getEndpoint(), usual));
      }
    }

    @Override
    public void onMessage(Message message) {
      message.put(EndObserver.class, this);
      boolean ended = true;
      try {
        usual.onMessage(message);
      } catch (SuspendedInvocationException suspended) {
        ended = false;
        throw suspended;
      } finally {
        if (ended) {
          end(message);
        }
      }
    }

    private static void end(Message message) {
      @Nullable Exchange exchange = message.getExchange();
      @Nullable WatchedRequest request =
          exchange == null ? null : exchange.get(WatchedRequest.class);
      if (request != null) {
        request.unanswered((name, value) -> {});
      }
    }
  }
}
