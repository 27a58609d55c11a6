package io.weir.grpc;

/** The same where a framework binds the service, and the user is found later. */
class WaitingElsewhereTest extends WaitingCallTest {
  @Override
  boolean isBoundElsewhere() {
    return true;
  }
}
