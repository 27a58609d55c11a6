package io.weir.internal.server.grpc.check;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Reason;
import io.weir.grpc.v1.CheckManyRequest;
import io.weir.grpc.v1.CheckManyResponse;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.CheckResponse;
import io.weir.grpc.v1.ExplainResponse;
import io.weir.grpc.v1.RateLimitServiceGrpc;
import io.weir.grpc.v1.StatusRequest;
import io.weir.grpc.v1.StatusResponse;
import io.weir.internal.control.decide.BatchItemResult;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.RequestExplainer;
import io.weir.internal.control.decide.UserStatusReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.server.grpc.call.ResponseSender;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Serves {@code weir.v1.RateLimitService}: the limiter's decisions, as the HTTP API has them. Never
 * blocks the calling thread. Safe for concurrent use.
 */
public final class CheckService extends RateLimitServiceGrpc.RateLimitServiceImplBase
    implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MAX_REQUESTS = 1_000;

  private final RequestDecider decisions;
  private final RequestExplainer explanations;
  private final UserStatusReader status;
  private final BlockingCallExecutor blocking = new BlockingCallExecutor();
  private final DecisionTimer timer;

  public CheckService(
      RequestDecider decisions,
      RequestExplainer explanations,
      UserStatusReader status,
      DecisionTimer timer) {
    this.timer = timer;
    this.decisions = decisions;
    this.explanations = explanations;
    this.status = status;
  }

  @Override
  public void check(CheckRequest request, StreamObserver<CheckResponse> responses) {
    long start = timer.start();
    ResponseSender.send(
        () ->
            timer
                .stop(start, valid("", () -> decisions.decide(CheckMessageMapper.request(request))))
                .thenApply(CheckService::requireStore)
                .thenApply(decision -> CheckMessageMapper.response(decisions.answer(decision))),
        responses);
  }

  @Override
  public void checkMany(CheckManyRequest request, StreamObserver<CheckManyResponse> responses) {
    int count = request.getRequestsCount();
    if (count == 0 || count > MAX_REQUESTS) {
      responses.onError(invalid("requests must be 1 to 1,000, not " + count));
      return;
    }
    long start = timer.start();
    ResponseSender.send(
        () -> timer.stop(start, request.getAtomic() ? together(all(request)) : each(all(request))),
        responses);
  }

  private static List<io.weir.internal.control.decide.request.CheckRequest> all(
      CheckManyRequest request) {
    List<io.weir.internal.control.decide.request.CheckRequest> all =
        new ArrayList<>(request.getRequestsCount());
    for (CheckRequest each : request.getRequestsList()) {
      all.add(CheckMessageMapper.request(each));
    }
    return all;
  }

  private CompletionStage<CheckManyResponse> each(
      List<io.weir.internal.control.decide.request.CheckRequest> requests) {
    List<Supplier<io.weir.internal.control.decide.request.CheckRequest>> readable =
        new ArrayList<>();
    requests.forEach(each -> readable.add(() -> each));
    return decisions
        .checkEach(readable)
        .thenApply(
            all -> {
              CheckManyResponse.Builder response = CheckManyResponse.newBuilder();
              for (BatchItemResult each : all) {
                response.addResponses(
                    each.answer().isPresent()
                        ? CheckMessageMapper.response(each.answer().get())
                        : CheckMessageMapper.problem(
                            each.problem().map(CheckService::text).orElse("")));
              }
              return response.build();
            });
  }

  /** Describes the problem of a request in a list, without details of the server's own failures. */
  private static String text(Throwable problem) {
    if (problem instanceof InvalidFieldException wrong) {
      return text(wrong.in("requests"));
    }
    if (problem instanceof InvalidRequestException) {
      return String.valueOf(problem.getMessage());
    }
    LOG.log(System.Logger.Level.ERROR, "a request of CheckMany failed", problem);
    return "an unexpected error occurred; see the server's log";
  }

  private CompletionStage<CheckManyResponse> together(
      List<io.weir.internal.control.decide.request.CheckRequest> requests) {
    return valid("requests", () -> decisions.decideTogether(requests))
        .thenApply(
            all -> {
              CheckManyResponse.Builder response = CheckManyResponse.newBuilder();
              for (CheckResult each : all) {
                response.addResponses(
                    CheckMessageMapper.response(decisions.answer(requireStore(each))));
              }
              return response.build();
            });
  }

  @Override
  public void explain(CheckRequest request, StreamObserver<ExplainResponse> responses) {
    ResponseSender.send(
        () ->
            blocking.run(
                () ->
                    valid(
                        "",
                        () ->
                            CheckMessageMapper.response(
                                explanations.explain(CheckMessageMapper.request(request))))),
        responses);
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> responses) {
    ResponseSender.send(
        () ->
            blocking.run(
                () -> valid("", () -> CheckMessageMapper.response(status.of(request.getUserId())))),
        responses);
  }

  // A refusal for want of the store isn't the caller's fault, and another server may decide it.
  private static CheckResult requireStore(CheckResult checked) {
    Optional<Decision> decision = checked.decision();
    if (decision.isPresent()
        && !decision.get().admitted()
        && decision.get().reason() == Reason.STORE_UNAVAILABLE) {
      throw unavailable("the store can't be reached, and a rule refuses without it");
    }
    return checked;
  }

  // Names of fields are those of the HTTP API, two of which gRPC writes differently.
  private static String text(InvalidFieldException wrong) {
    String text = String.valueOf(wrong.getMessage());
    return text.replace("userId", "user_id").replace("apiKey", "api_key");
  }

  private static <T> T valid(String place, Supplier<T> call) {
    try {
      return call.get();
    } catch (InvalidFieldException wrong) {
      throw invalid(text(place.isEmpty() ? wrong : wrong.in(place)));
    } catch (RulesUnavailableException away) {
      throw unavailable("the rules database can't be reached");
    }
  }

  private static StatusRuntimeException invalid(String text) {
    return Status.INVALID_ARGUMENT.withDescription(text).asRuntimeException();
  }

  private static StatusRuntimeException unavailable(String text) {
    return Status.UNAVAILABLE.withDescription(text).asRuntimeException();
  }

  /** Accepts no more blocking calls. */
  @Override
  public void close() {
    blocking.close();
  }
}
