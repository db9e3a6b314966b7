"""A key is told from the name of a model: no name is refused, and hardly a key is let through."""

from __future__ import annotations

import string
from random import Random

import pytest

from graph_flow.llm.transport.keys import address_holds_key, holds_secret, looks_like_key

NAMES = (
    "gpt-4o",
    "gpt-4o-mini-2024-07-18",
    "gpt-5",
    "o3-mini-2025-01-31",
    "o4-mini-deep-research-2025-06-26",
    "chatgpt-4o-latest",
    "ft:gpt-4o-mini-2024-07-18:org::AbC12345",
    "ft:gpt-3.5-turbo-0613:my-org:custom_suffix:7p4lURel",
    "ada:ft-personal-2023-01-14-05-21-33",
    "claude-3-5-sonnet-20241022",
    "claude-opus-4-1-20250805",
    "anthropic/claude-3.7-sonnet:thinking",
    "anthropic.claude-3-5-sonnet-20240620-v1:0",
    "us.anthropic.claude-3-7-sonnet-20250219-v1:0",
    "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-5-sonnet-20240620-v1:0",
    "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6",
    "deepseek-chat",
    "deepseek-reasoner",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B",
    "deepseek/deepseek-r1-0528-qwen3-8b:free",
    "accounts/fireworks/models/llama-v3p1-405b-instruct",
    "accounts/fireworks/models/deepseek-v3-0324",
    "accounts/my-account-1a2b3c/deployedModels/llama-v3p1-8b-instruct-a1b2c3d4",
    "hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M",
    "hf.co/unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:UD-Q4_K_XL",
    "qwen3:14b",
    "qwen2.5-coder:32b-instruct-q4_K_M",
    "llama3.1:8b-instruct-q8_0",
    "mistral-nemo:12b-instruct-2407-q4_K_M",
    "mistralai/Mixtral-8x22B-Instruct-v0.1",
    "mistralai/Mistral-7B-Instruct-v0.3",
    "open-mixtral-8x7b",
    "mistral-large-2411",
    "ft:open-mistral-7b:587a6b29:20240514:7e773925",
    "gemini-2.5-pro-preview-06-05",
    "models/gemini-1.5-flash-8b-exp-0924",
    "google/gemma-3-27b-it",
    "gemini-2.0-flash-thinking-exp-01-21",
    "x-ai/grok-4",
    "grok-3-mini-fast-beta",
    "xai-org/grok-2",
    "meta-llama/Meta-Llama-3.1-405B-Instruct-Turbo",
    "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8",
    "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
    "@hf/thebloke/neural-chat-7b-v3-1-awq",
    "@cf/deepseek-ai/deepseek-r1-distill-qwen-32b",
    "nvidia/llama-3.1-nemotron-ultra-253b-v1",
    "nousresearch/hermes-3-llama-3.1-405b",
    "NousResearch/Nous-Hermes-2-Mixtral-8x7B-DPO",
    "cognitivecomputations/dolphin-mixtral-8x22b",
    "Sao10K/L3.3-70B-Euryale-v2.3",
    "TheDrummer/Cydonia-24B-v2.1",
    "anthracite-org/magnum-v4-72b",
    "pplx-7b-online",
    "pplx-70b-chat-alpha",
    "sonar-reasoning-pro",
    "llama-3.1-sonar-huge-128k-online",
    "command-r-plus-08-2024",
    "c4ai-aya-expanse-32b",
    "jamba-1.5-large",
    "moonshotai/Kimi-K2-Instruct-0905",
    "kimi-k2-0711-preview",
    "glm-4.5-air",
    "zai-org/GLM-4.5-Air-FP8",
    "openai/gpt-oss-120b",
    "gpt-oss:20b-cloud",
    "microsoft/phi-4-reasoning-plus",
    "Phi-3-medium-128k-instruct",
    "ep-20240604123456-abcde",
    "meta/llama-2-70b-chat:02e509c789964a7ea8736978a43525956ef40397be9033abf9fd2badfe68c9e3",
    "projects/my-project-123/locations/us-central1/endpoints/4567890123456789012",
    "SmolLM2-135M-Instruct",
    "Llama-3.2-3B-Instruct-Q4_K_M.gguf",
    "NousHermes2Mixtral8x7BDPO",
    "DeepSeekR1DistillQwen32BGGUF",
    "llama31instruct70bq4",
    "MythoMax-L2-13b.Q5_K_M.gguf",
    "unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit",
    "TheBloke/Mistral-7B-Instruct-v0.2-AWQ",
    "Qwen/Qwen3-235B-A22B-Thinking-2507",
    "Qwen/Qwen2.5-VL-72B-Instruct-AWQ",
    "skt/A.X-4.0",
    "skt/kogpt2-base-v2",
    "LGAI-EXAONE/EXAONE-3.5-32B-Instruct",
    "upstage/solar-pro2-preview",
    "01-ai/Yi-1.5-34B-Chat-16K",
    "internlm/internlm2_5-20b-chat",
    "baidu/ERNIE-4.5-300B-A47B-PT",
    "tencent/Hunyuan-A13B-Instruct",
    "MiniMaxAI/MiniMax-M1-80k",
    "MiniMax-Text-01",
    "ai21-jamba-1-5-large-us-east-1-provisioned",
    "amazon.nova-pro-v1:0",
    "cohere.command-r-plus-v1:0",
    "writer/palmyra-creative-122b",
    "inflection/inflection-3-pi",
    "eva-unit-01/eva-qwen-2.5-72b",
    "Doctor-Shotgun/L3.3-70B-Magnum-v4-SE-GGUF",
    "gguf-my-repo/Q4_K_M-something",
    "text-davinci-003",
    "gpt-35-turbo-16k-0613",
    "My best model 2025",
    "Modell für Entwürfe",
    "我的模型",
    "ollama",
    "lm-studio",
    "huggingface/meta-llama/Llama-3.1-8B-Instruct",
    "together_ai/togethercomputer/Llama-2-7B-32K-Instruct",
    "openrouter/auto",
    "azure/gpt-4o-2024-11-20",
    "vertex_ai/gemini-2.0-flash-001",
    "bedrock/us.amazon.nova-premier-v1:0",
    "user/Meta-Llama-3.1-8B-Instruct-Reference-my-suffix-e5a0fb5d",
    "model@sha256:02e509c789964a7ea8736978a43525956ef40397be9033abf9fd2badfe68c9e3",
    "/home/me/models/SmolLM2-135M-Instruct-Q4_K_M.gguf",
)
"""What services, and writers, call models."""

KEYS = {
    "OpenAI": "sk-proj-Zk3vT9_qW1xLr8mB2nYc7dHf",
    "OpenAI, of before": "sk-4f9Kd02mXz71LqPw8RtYvB3nG5hJ6kS1dF7gH2jK4lZ9xC0",
    "Anthropic": "sk-ant-api03-Q2w3E4r5T6y7U8i9O0p1A2s3D4f5G6h7J8k9",
    "OpenRouter": "sk-or-v1-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
    "LiteLLM": "sk-1234",
    "Groq": "gsk_a81bC92dE03fG14hI25jKw8RtYvB3nG5hJ6k",
    "Hugging Face": "hf_QwErTyUiOpAsDfGhJk12lZxCvBnM34",
    "Google": "AIzaSyD4f9Kd02mXz71LqPw8RtYuIoP",
    "xAI": "xai-Zk3vT9qW1xLr8mB2nYc7dHf5jPk6sQ",
    "Perplexity": "pplx-4f9kd02mxz71lqpw8rtyvb3ng5hj6ks1",
    "Replicate": "r8_4f9Kd02mXz71LqPw8RtYvB3nG5hJ6kS1d",
    "NVIDIA": "nvapi-Zk3vT9qW1xLr8mB2nYc7dHf5jPk6sQ",
    "Fireworks": "fw_4f9Kd02mXz71LqPw8RtYvB3n",
    "Cerebras": "csk-4f9kd02mxz71lqpw8rtyvb3ng5hj6ks1",
    "GitHub": "ghp_4f9Kd02mXz71LqPw8RtYvB3nG5hJ6kS1dF7g",
    "AWS": "AKIAIOSFODNN7EXAMPLE",
    "a token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "Mistral": "Zk3vT9qW1xLr8mB2nYc7dHf5jPk6sQ0u",
    "Azure": "9f86d081884c7d659a2feaa0c55ad015",
    "Together": "02e509c789964a7ea8736978a43525956ef40397be9033abf9fd2badfe68c9e3",
    "SambaNova": "3f2b1c9e-7a64-4d0b-9a51-c0ffee5e7ba5",
    "Zhipu": "9f86d081884c7d659a2feaa0c55ad015.Zk3vT9qW1xLr8mB2",
    "a header": "Bearer mysecretword",
    "a whole header": "Authorization: Basic bWU6c2VjcmV0",
    "an assignment": "OPENAI_API_KEY=9f86d081884c7d659a2feaa0c55ad015",
    "a name and a key": "gpt-4o sk-4f9Kd02mXz71LqPw8RtY",
}
"""None of these was ever given out."""

ALPHABETS = {
    "letters and digits": (string.ascii_letters + string.digits, 0.04),
    "small letters and digits": (string.ascii_lowercase + string.digits, 0.05),
    "hexadecimal digits": ("0123456789abcdef", 0.01),
    "URL-safe characters": (string.ascii_letters + string.digits + "-_", 0.1),
}
"""What random keys are made of, with the share of 32 such characters that may be let through."""


@pytest.mark.parametrize("name", NAMES)
def test_name_of_a_model_is_no_key(name: str) -> None:
    assert not looks_like_key(name)
    assert not looks_like_key(f" {name} ")


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_key_of_a_known_service_is_one(key: str) -> None:
    assert looks_like_key(key)
    assert looks_like_key(f" {key}\n")
    assert looks_like_key(f'"{key}"')


@pytest.mark.parametrize(("alphabet", "most_missed"), ALPHABETS.values(), ids=ALPHABETS)
def test_long_random_text_is_a_key(alphabet: str, most_missed: float) -> None:
    dice = Random(7)
    keys = ["".join(dice.choices(alphabet, k=32)) for _ in range(2_000)]
    longer = ["".join(dice.choices(alphabet, k=64)) for _ in range(2_000)]

    assert sum(not looks_like_key(key) for key in keys) < most_missed * len(keys)
    assert sum(not looks_like_key(key) for key in longer) < 0.01 * len(longer)


@pytest.mark.parametrize(
    "address",
    [
        "https://api.openai.com/v1",
        "http://127.0.0.1:11434/v1",
        "https://my-resource.openai.azure.com/openai/v1/",
        "https://gateway.ai.cloudflare.com/v1/9f86d081884c7d659a2feaa0c55ad015/tales/openai",
        "https://abcd1234xyz567.us-east-1.aws.endpoints.huggingface.cloud/v1/",
        "https://sk-east-1.example.com/v1",
        "localhost:1234",
        "",
    ],
)
def test_address_is_no_key(address: str) -> None:
    assert not address_holds_key(address)


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_key_is_found_where_an_address_belongs(key: str) -> None:
    assert address_holds_key(key)


def test_key_is_found_within_an_address() -> None:
    assert address_holds_key(f"https://host.example/v1?key={KEYS['Google']}")
    assert address_holds_key(f"https://host.example/{KEYS['Groq']}/v1")


def test_secret_is_found_within_what_was_typed_unless_it_is_a_mere_word() -> None:
    assert holds_secret("it is correct-horse-battery!", ["correct-horse-battery"])
    assert not holds_secret("ollama", ["ollama"])
    assert not holds_secret("a model", ["correct-horse-battery", ""])
