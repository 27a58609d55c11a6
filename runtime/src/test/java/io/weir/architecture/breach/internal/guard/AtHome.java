package io.weir.architecture.breach.internal.guard;

/** No breach. */
public interface AtHome {}
