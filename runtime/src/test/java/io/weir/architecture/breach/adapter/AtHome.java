package io.weir.architecture.breach.adapter;

/** Is for all adapters. */
public interface AtHome {}
