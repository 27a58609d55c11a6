package io.weir.internal.server.grpc.check;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
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
import io.weir.internal.control.decide.Decisions;
import io.weir.internal.control.decide.Explanations;
import io.weir.internal.control.decide.ListedAnswer;
import io.weir.internal.control.decide.UserStatus;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.server.grpc.call.Responses;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * {@code weir.v1.RateLimitService}: the decisions of the application's limiter, as the HTTP API has
 * them. Never blocks the calling thread. Safe for concurrent use.
 */
public final class CheckService extends RateLimitServiceGrpc.RateLimitServiceImplBase
    implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MOST_REQUESTS = 1_000;

  private final Decisions decisions;
  private final Explanations explanations;
  private final UserStatus status;
  private final BlockingCalls blocking = new BlockingCalls();
  private final Responses decided;
  private final Responses told = new Responses(nanos -> {});

  /**
   * Answers from now on.
   *
   * @param decisions decide
   * @param explanations explain what they would decide
   * @param status tells what users have left
   * @param decided sends what was decided
   */
  public CheckService(
      Decisions decisions, Explanations explanations, UserStatus status, Responses decided) {
    this.decided = decided;
    this.decisions = decisions;
    this.explanations = explanations;
    this.status = status;
  }

  @Override
  public void check(CheckRequest request, StreamObserver<CheckResponse> responses) {
    decided.send(
        () ->
            valid("", () -> decisions.decide(CheckMessages.request(request)))
                .thenApply(CheckService::requireStore)
                .thenApply(decision -> CheckMessages.response(decisions.answer(decision))),
        responses);
  }

  @Override
  public void checkMany(CheckManyRequest request, StreamObserver<CheckManyResponse> responses) {
    int count = request.getRequestsCount();
    if (count == 0 || count > MOST_REQUESTS) {
      responses.onError(invalid("requests must be 1 to 1,000, not " + count));
      return;
    }
    decided.send(
        () -> request.getAtomic() ? together(all(request)) : each(all(request)), responses);
  }

  private static List<io.weir.internal.control.decide.CheckRequest> all(CheckManyRequest request) {
    List<io.weir.internal.control.decide.CheckRequest> all =
        new ArrayList<>(request.getRequestsCount());
    for (CheckRequest each : request.getRequestsList()) {
      all.add(CheckMessages.request(each));
    }
    return all;
  }

  private CompletionStage<CheckManyResponse> each(
      List<io.weir.internal.control.decide.CheckRequest> requests) {
    List<Supplier<io.weir.internal.control.decide.CheckRequest>> readable = new ArrayList<>();
    requests.forEach(each -> readable.add(() -> each));
    return decisions
        .checkEach(readable)
        .thenApply(
            all -> {
              CheckManyResponse.Builder response = CheckManyResponse.newBuilder();
              for (ListedAnswer each : all) {
                response.addResponses(
                    each.answer().isPresent()
                        ? CheckMessages.response(each.answer().get())
                        : CheckMessages.problem(each.problem().map(CheckService::text).orElse("")));
              }
              return response.build();
            });
  }

  /** Tells what is wrong with a request of a list; nothing of what isn't the client's. */
  private static String text(Throwable problem) {
    if (problem instanceof InvalidFieldException wrong) {
      return text(wrong.in("requests"));
    }
    if (problem instanceof InvalidRequestException) {
      return String.valueOf(problem.getMessage());
    }
    LOG.log(System.Logger.Level.ERROR, "a request of CheckMany couldn't be decided", problem);
    return "something went wrong here";
  }

  private CompletionStage<CheckManyResponse> together(
      List<io.weir.internal.control.decide.CheckRequest> requests) {
    return valid("requests", () -> decisions.decideTogether(requests))
        .thenApply(
            all -> {
              CheckManyResponse.Builder response = CheckManyResponse.newBuilder();
              for (Optional<Decision> each : all) {
                response.addResponses(CheckMessages.response(decisions.answer(requireStore(each))));
              }
              return response.build();
            });
  }

  @Override
  public void explain(CheckRequest request, StreamObserver<ExplainResponse> responses) {
    told.send(
        () ->
            blocking.run(
                () ->
                    valid(
                        "",
                        () ->
                            CheckMessages.response(
                                explanations.explain(CheckMessages.request(request))))),
        responses);
  }

  @Override
  public void status(StatusRequest request, StreamObserver<StatusResponse> responses) {
    told.send(
        () ->
            blocking.run(
                () -> valid("", () -> CheckMessages.response(status.of(request.getUserId())))),
        responses);
  }

  // What a policy refuses without its store isn't the caller's fault, and may be asked elsewhere.
  private static Optional<Decision> requireStore(Optional<Decision> decision) {
    if (decision.isPresent()
        && !decision.get().admitted()
        && decision.get().reason() == Reason.STORE_UNAVAILABLE) {
      throw unavailable("the store is away, and a rule refuses without it");
    }
    return decision;
  }

  // The names of fields are those of the HTTP API, which has two that are written otherwise.
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
      throw unavailable("the database of the rules is away");
    }
  }

  private static StatusRuntimeException invalid(String text) {
    return Status.INVALID_ARGUMENT.withDescription(text).asRuntimeException();
  }

  private static StatusRuntimeException unavailable(String text) {
    return Status.UNAVAILABLE.withDescription(text).asRuntimeException();
  }

  /** Takes no more calls that wait. */
  @Override
  public void close() {
    blocking.close();
  }
}
