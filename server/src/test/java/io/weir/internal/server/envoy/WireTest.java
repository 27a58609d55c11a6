package io.weir.internal.server.envoy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.Value;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.internal.server.envoy.proto.RateLimitUnit;
import org.junit.jupiter.api.Test;

/** Tests that Weir's messages equal Envoy's own on the wire. */
class WireTest {
  @Test
  void theServiceHasTheSameNameAndMethod() {
    assertEquals(
        io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.getShouldRateLimitMethod()
            .getFullMethodName(),
        RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName());
  }

  @Test
  void ourRequestsAreTheirs() throws InvalidProtocolBufferException {
    RateLimitRequest.Builder ours = RateLimitRequest.newBuilder().setDomain("shop");
    ours.setHitsAddend(-7);
    ours.addDescriptorsBuilder()
        .setHitsAddend(UInt64Value.of(0))
        .addEntriesBuilder()
        .setKey("path")
        .setValue("/ü");
    ours.addDescriptorsBuilder()
        .getLimitBuilder()
        .setRequestsPerUnit(9)
        .setUnit(RateLimitUnit.YEAR);
    byte[] bytes = ours.build().toByteArray();
    var theirs = io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest.parseFrom(bytes);
    assertArrayEquals(bytes, theirs.toByteArray());
    assertEquals("/ü", theirs.getDescriptors(0).getEntries(0).getValue());
    assertTrue(theirs.getDescriptors(0).hasHitsAddend());
    assertEquals(9, theirs.getDescriptors(1).getLimit().getRequestsPerUnit());
    assertEquals("YEAR", theirs.getDescriptors(1).getLimit().getUnit().name());
    assertEquals(ours.build(), RateLimitRequest.parseFrom(theirs.toByteArray()));
    assertNothingUnknown(theirs);
  }

  @Test
  void ourResponsesAreTheirs() throws InvalidProtocolBufferException {
    RateLimitResponse.Builder ours =
        RateLimitResponse.newBuilder().setOverallCode(RateLimitResponse.Code.OVER_LIMIT);
    ours.addStatusesBuilder()
        .setCode(RateLimitResponse.Code.OK)
        .setLimitRemaining(-1)
        .setDurationUntilReset(Duration.newBuilder().setSeconds(5).setNanos(6))
        .getCurrentLimitBuilder()
        .setName("pages")
        .setRequestsPerUnit(3)
        .setUnit(RateLimitResponse.RateLimit.Unit.WEEK);
    ours.addResponseHeadersToAddBuilder().setKey("a").setValue("b");
    ours.addRequestHeadersToAddBuilder().setKey("c").setRawValue(ByteString.copyFromUtf8("d"));
    ours.setRawBody(ByteString.copyFromUtf8("no"));
    ours.setDynamicMetadata(
        Struct.newBuilder().putFields("x", Value.newBuilder().setNumberValue(1).build()));
    byte[] bytes = ours.build().toByteArray();
    var theirs = io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.parseFrom(bytes);
    assertArrayEquals(bytes, theirs.toByteArray());
    assertEquals("OVER_LIMIT", theirs.getOverallCode().name());
    assertEquals("WEEK", theirs.getStatuses(0).getCurrentLimit().getUnit().name());
    assertEquals("d", theirs.getRequestHeadersToAdd(0).getRawValue().toStringUtf8());
    assertEquals(ours.build(), RateLimitResponse.parseFrom(theirs.toByteArray()));
    assertNothingUnknown(theirs);
  }

  // What ours has and theirs hasn't came to Envoy after the artifact.
  @Test
  void everyFieldHasTheNumberAndTypeOfTheirs() {
    assertSame(
        RateLimitRequest.getDescriptor(),
        io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest.getDescriptor());
    assertSame(
        RateLimitResponse.getDescriptor(),
        io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.getDescriptor());
  }

  private static void assertSame(Descriptor ours, Descriptor theirs) {
    assertEquals(theirs.getFullName(), ours.getFullName());
    for (FieldDescriptor field : ours.getFields()) {
      FieldDescriptor same = theirs.findFieldByNumber(field.getNumber());
      if (field.getName().equals("is_negative_hits")) {
        continue;
      }
      assertEquals(same.getFullName(), field.getFullName());
      assertEquals(same.getType(), field.getType());
      assertEquals(same.isRepeated(), field.isRepeated());
      if (field.getType() == FieldDescriptor.Type.MESSAGE
          && field.getMessageType().getFullName().startsWith("envoy.")) {
        assertSame(field.getMessageType(), same.getMessageType());
      } else if (field.getType() == FieldDescriptor.Type.ENUM) {
        assertSame(field.getEnumType(), same.getEnumType());
      }
    }
  }

  private static void assertSame(EnumDescriptor ours, EnumDescriptor theirs) {
    assertEquals(theirs.getFullName(), ours.getFullName());
    for (EnumValueDescriptor value : ours.getValues()) {
      assertEquals(theirs.findValueByNumber(value.getNumber()).getName(), value.getName());
    }
  }

  private static void assertNothingUnknown(com.google.protobuf.Message message) {
    assertTrue(message.getUnknownFields().asMap().isEmpty());
  }
}
