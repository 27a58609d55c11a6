package io.weir.internal.server.grpc;

import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Serves {@code grpc.health.v1.Health}: all services are serving while the server is ready.
 *
 * <p>Safe for concurrent use.
 */
final class HealthService extends HealthGrpc.HealthImplBase {
  /** The name by which clients ask for the whole server. */
  private static final String WHOLE = "";

  private final Set<String> services = new HashSet<>();
  private final BooleanSupplier isReady;

  /** The status that each client has last been sent, by its stream. Guarded by this. */
  private final Map<StreamObserver<HealthCheckResponse>, ServingStatus> watches =
      new LinkedHashMap<>();

  /** Guarded by this. */
  private boolean isDraining;

  /** Guarded by this. */
  private boolean isClosed;

  /**
   * Creates the service.
   *
   * @param isReady returns at once whether requests should be sent to this server
   */
  HealthService(Set<String> services, BooleanSupplier isReady) {
    this.services.addAll(services);
    this.services.add(WHOLE);
    this.isReady = isReady;
  }

  private synchronized ServingStatus status(String service) {
    if (!services.contains(service)) {
      return ServingStatus.SERVICE_UNKNOWN;
    }
    return !isDraining && isReady.getAsBoolean()
        ? ServingStatus.SERVING
        : ServingStatus.NOT_SERVING;
  }

  @Override
  public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> responses) {
    ServingStatus status = status(request.getService());
    if (status == ServingStatus.SERVICE_UNKNOWN) {
      responses.onError(
          Status.NOT_FOUND
              .withDescription("there is no service of this name")
              .asRuntimeException());
    } else {
      responses.onNext(response(status));
      responses.onCompleted();
    }
  }

  @Override
  public synchronized void watch(
      HealthCheckRequest request, StreamObserver<HealthCheckResponse> responses) {
    ServingStatus status = status(request.getService());
    ((ServerCallStreamObserver<HealthCheckResponse>) responses)
        .setOnCancelHandler(() -> remove(responses));
    responses.onNext(response(status));
    if (isClosed) {
      end(responses);
    } else {
      watches.put(responses, status);
    }
  }

  private synchronized void remove(StreamObserver<HealthCheckResponse> responses) {
    watches.remove(responses);
  }

  /** Sends the present status to the clients that watch it, if it has changed. */
  synchronized void update() {
    ServingStatus now = status(WHOLE);
    watches.replaceAll(
        (responses, sent) -> {
          if (sent == ServingStatus.SERVICE_UNKNOWN || sent == now) {
            return sent;
          }
          responses.onNext(response(now));
          return now;
        });
  }

  /** Reports NOT_SERVING from now on. */
  synchronized void drain() {
    isDraining = true;
    update();
  }

  /** Ends the streams of clients that watch, which would go on for ever. */
  synchronized void close() {
    isClosed = true;
    watches.keySet().forEach(HealthService::end);
    watches.clear();
  }

  private static void end(StreamObserver<HealthCheckResponse> responses) {
    responses.onError(
        Status.UNAVAILABLE.withDescription("the server is stopping").asRuntimeException());
  }

  private static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }
}
