package io.weir.internal.server.grpc.check;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Int64Value;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.CheckResponse;
import io.weir.grpc.v1.ExplainResponse;
import io.weir.grpc.v1.PolicyDecision;
import io.weir.grpc.v1.PolicyExplanation;
import io.weir.grpc.v1.RuleStatus;
import io.weir.grpc.v1.StatusResponse;
import io.weir.internal.control.decide.CheckAnswer;
import io.weir.internal.control.decide.ExplainAnswer;
import io.weir.internal.control.decide.StatusAnswer;
import org.jspecify.annotations.Nullable;

/** Reads requests from messages, and writes answers into them. */
final class CheckMessageMapper {
  private CheckMessageMapper() {}

  /** A text that is empty wasn't given. */
  static io.weir.internal.control.decide.CheckRequest request(CheckRequest sent) {
    return new io.weir.internal.control.decide.CheckRequest(
        given(sent.getUserId()),
        given(sent.getApiKey()),
        given(sent.getIp()),
        given(sent.getEndpoint()),
        given(sent.getMethod()),
        given(sent.getTier()),
        sent.hasCost() ? sent.getCost().getValue() : null,
        sent.hasLoad() ? sent.getLoad().getValue() : null,
        sent.getAttributesMap());
  }

  private static @Nullable String given(String text) {
    return text.isEmpty() ? null : text;
  }

  static CheckResponse response(CheckAnswer answer) {
    CheckResponse.Builder response =
        CheckResponse.newBuilder()
            .setAllowed(answer.allowed())
            .setLimit(answer.limit())
            .setRemaining(answer.remaining())
            .setResetTime(answer.resetTime())
            .setDegraded(answer.degraded());
    Long retryAfter = answer.retryAfter();
    if (retryAfter != null) {
      response.setRetryAfter(Int64Value.of(retryAfter));
    }
    for (CheckAnswer.PolicyAnswer each : answer.policies()) {
      response.addPolicies(
          PolicyDecision.newBuilder()
              .setName(each.name())
              .setAllowed(each.allowed())
              .setLimit(each.limit())
              .setRemaining(each.remaining())
              .setResetTime(each.resetTime())
              .setWouldRefuse(each.wouldRefuse()));
    }
    return response.build();
  }

  /** Stands for a request of a list that couldn't be decided. */
  static CheckResponse problem(String text) {
    return CheckResponse.newBuilder().setProblem(text).build();
  }

  static ExplainResponse response(ExplainAnswer answer) {
    ExplainResponse.Builder response =
        ExplainResponse.newBuilder()
            .setCaller(answer.caller())
            .setTier(answer.tier())
            .setDecision(response(answer.decision()));
    for (ExplainAnswer.PolicyExplanation each : answer.policies()) {
      response.addPolicies(explanation(each));
    }
    return response.build();
  }

  private static PolicyExplanation explanation(ExplainAnswer.PolicyExplanation why) {
    PolicyExplanation.Builder told =
        PolicyExplanation.newBuilder()
            .setName(why.name())
            .setHolds(why.holds())
            .setLimit(why.limit())
            .setWindow(why.window())
            .setSource(why.source())
            .setReason(why.reason())
            .setUnread(why.unread());
    Boolean allowed = why.allowed();
    if (allowed != null) {
      told.setAllowed(BoolValue.of(allowed));
    }
    Long remaining = why.remaining();
    if (remaining != null) {
      told.setRemaining(Int64Value.of(remaining));
    }
    Long resetTime = why.resetTime();
    if (resetTime != null) {
      told.setResetTime(Int64Value.of(resetTime));
    }
    return told.build();
  }

  static StatusResponse response(StatusAnswer answer) {
    StatusResponse.Builder response =
        StatusResponse.newBuilder()
            .setUserId(answer.userId())
            .setTier(answer.tier())
            .setIncomplete(answer.incomplete());
    for (StatusAnswer.RuleStatus each : answer.rules()) {
      response.addRules(
          RuleStatus.newBuilder()
              .setEndpoint(each.endpoint())
              .setLimit(each.limit())
              .setRemaining(each.remaining())
              .setResetTime(each.resetTime()));
    }
    return response.build();
  }
}
