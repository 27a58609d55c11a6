package io.weir.internal.control.decide;

import io.weir.CheckResult;
import io.weir.RequestChecker;
import io.weir.Ticker;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.control.decide.request.DescribedRequest;
import io.weir.internal.control.decide.request.KeyExpressions;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Decides described requests, for HTTP, gRPC and the Redis protocol alike.
 *
 * <p>Safe for concurrent use.
 */
public final class RequestDecider {
  private final RequestChecker checker;
  private final Supplier<KeyExpressions> keys;
  private final CheckAnswerFactory answers;

  public RequestDecider(RequestChecker checker, Supplier<KeyExpressions> keys, Ticker ticker) {
    this.checker = checker;
    this.keys = keys;
    this.answers = new CheckAnswerFactory(ticker);
  }

  public static RequestDecider of(WeirRuntime weir) {
    return new RequestDecider(weir.checker(), () -> KeyExpressions.of(weir), weir.ticker());
  }

  /**
   * Decides a request, and charges it if it is admitted.
   *
   * @return the answer; completed exceptionally only by an {@link io.weir.InvalidRequestException},
   *     if a policy can't count it
   * @throws InvalidFieldException if the description breaks a rule
   */
  public CompletionStage<CheckAnswer> check(CheckRequest request) {
    return checker.check(described(request)).thenApply(answers::of);
  }

  /**
   * Decides several requests independently.
   *
   * @param requests the requests; each throws an {@link InvalidFieldException} if it is invalid
   * @return the answers in their order, with a problem in the place of each request that can't be
   *     decided. Never completed exceptionally
   */
  public CompletionStage<List<BatchItemResult>> checkEach(List<Supplier<CheckRequest>> requests) {
    List<Supplier<DescribedRequest>> described = new ArrayList<>(requests.size());
    for (Supplier<CheckRequest> each : requests) {
      int place = described.size();
      described.add(() -> described(each.get(), place));
    }
    return new BatchDecider(request -> checker.check(request).thenApply(answers::of)).of(described);
  }

  /**
   * Decides several requests, all or nothing.
   *
   * @return the answers in their order; if one request is refused, no permits were taken for any
   * @throws InvalidFieldException if a description breaks a rule; its field begins with the index
   */
  public CompletionStage<List<CheckAnswer>> checkTogether(List<CheckRequest> requests) {
    List<RequestInfo> described = List.copyOf(described(requests));
    return described.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : checker
            .checkTogether(described)
            .thenApply(decided -> decided.stream().map(answers::of).toList());
  }

  /** Decides a request as {@link #check} does, with the whole decision. */
  public CompletionStage<CheckResult> decide(CheckRequest request) {
    return checker.check(described(request));
  }

  /**
   * Decides several requests as {@link #checkTogether} does, with the whole decisions.
   *
   * @param requests the requests, at least one
   */
  public CompletionStage<List<CheckResult>> decideTogether(List<CheckRequest> requests) {
    return checker.checkTogether(List.copyOf(described(requests)));
  }

  /** Converts a result of {@link #decide}. */
  public CheckAnswer answer(CheckResult decided) {
    return answers.of(decided);
  }

  /**
   * Checks the description of a request.
   *
   * @throws InvalidFieldException if it breaks a rule
   */
  public DescribedRequest described(CheckRequest request) {
    return DescribedRequest.of(request, keys(), checker::address);
  }

  private List<DescribedRequest> described(List<CheckRequest> requests) {
    List<DescribedRequest> described = new ArrayList<>(requests.size());
    for (CheckRequest each : requests) {
      described.add(described(each, described.size()));
    }
    return described;
  }

  private DescribedRequest described(CheckRequest request, int place) {
    try {
      return described(request);
    } catch (InvalidFieldException wrong) {
      throw wrong.in("[" + place + "]");
    }
  }

  /** Returns what a check would decide now; takes no permits. */
  CheckResult peek(RequestInfo request) {
    return checker.peek(request);
  }

  /** Returns where requests have their key by the settings of now. */
  KeyExpressions keys() {
    return keys.get();
  }

  CheckAnswerFactory answers() {
    return answers;
  }
}
