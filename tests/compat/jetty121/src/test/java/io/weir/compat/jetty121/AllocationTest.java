package io.weir.compat.jetty121;

import io.weir.compat.servlet.ServletAllocationContract;

class AllocationTest implements ServletAllocationContract, JettyServer {
  @Override
  public long mostBytesOfAnAdmittedRequest() {
    return 2_000;
  }
}
